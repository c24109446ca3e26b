import Logging
package import SkySQLite

extension LockWait {
  /// How long a statement waits for the lock of another program, such as that of a browser in which somebody has
  /// changed a value and not saved it yet.
  static let journalLimit = Duration.seconds(60)

  /// Waits for another program's lock on a journal, with a line that says so.
  @Sendable package static func forJournal(_ path: String) -> LockWait {
    LockWait(limit: journalLimit) {
      Logger(label: "skynet.journal").warning(
        "\(path): another program has locked it: waiting for its lock, for \(seconds) s at most")
    }
  }

  fileprivate static var seconds: Int64 { journalLimit.components.seconds }
}

extension JournalError {
  /// - Parameter code: what could not be done.
  static func locked(_ code: Code, _ path: String) -> JournalError {
    JournalError(
      code, path,
      "another program has had it locked for \(LockWait.seconds) s; everything recorded before that is kept: end what "
        + "that program does with it, and start the same command again")
  }
}
