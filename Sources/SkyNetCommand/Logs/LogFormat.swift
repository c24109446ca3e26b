import ArgumentParser
import Foundation

/// How the lines on standard error are written: the log's, and those with which a command speaks itself.
enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// For people: `2026-11-23T09:20:00Z info: connected (client ada)`.
  case text
  /// For machines: an object a line, with `time`, `level`, `label`, `message` and the metadata's members.
  case json
  /// For systemd's journal, which adds the time itself: `<6>connected (client ada)`.
  case journald

  /// The format that was asked for; without one, the journal's if standard error leads there.
  static func chosen(_ given: LogFormat?) -> LogFormat {
    given ?? (isConnectedToJournal() ? .journald : .text)
  }

  /// Whether a descriptor leads to systemd's journal: then JOURNAL_STREAM holds the device and inode of what
  /// the service manager has opened (systemd.exec(5)). The variable alone does not tell, as a service's
  /// children inherit it, and may have redirected their standard error.
  static func isConnectedToJournal(
    _ descriptor: CInt = STDERR_FILENO,
    _ variable: String? = ProcessInfo.processInfo.environment["JOURNAL_STREAM"]
  ) -> Bool {
    let numbers = variable?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    guard numbers.count == 2, let device = UInt64(numbers[0]), let inode = UInt64(numbers[1]) else {
      return false
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }
}

struct LogFormatOption: ParsableArguments {
  @Option(
    help: """
      How to write standard error: text; json, an object a line; or journald, with priorities and \
      without times. (default: journald where it leads to systemd's journal, else text)
      """)
  var logFormat: LogFormat?

  /// Has standard error written in this format from now on.
  func apply() { Console.standardError.setFormat(LogFormat.chosen(logFormat)) }
}
