import ArgumentParser
import UnixSignals

/// SIGINT and SIGTERM, the ways in which people and supervisors stop a program.
enum Signals {
  /// Calls `body` for each that comes, with how many have come and the exit status that tells of
  /// it, until `body` returns `false` or the task is cancelled.
  static func watch(_ body: (_ count: Int, _ status: ExitCode) -> Bool) async {
    var count = 0
    for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
      count += 1
      guard body(count, signal == .sigterm ? .terminated : .interrupted) else { return }
    }
  }
}
