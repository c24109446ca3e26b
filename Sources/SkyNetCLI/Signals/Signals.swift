import ArgumentParser
import Foundation
import UnixSignals

/// The signals by which people, supervisors, and terminals that close stop a program.
enum Signals {
  /// Those that stop this process: SIGINT, SIGTERM, and SIGHUP, unless that was ignored when the
  /// process began, as `nohup` has it. Looked at once, before a signal is trapped: trapping hides
  /// what was.
  static let stopping: [UnixSignal] =
    isIgnored(SIGHUP) ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]

  private static func isIgnored(_ number: CInt) -> Bool {
    // `sigaction`, which only looks, has other names in Swift on each platform.
    let before = signal(number, SIG_IGN)
    signal(number, before)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Calls `body` for each that comes, with how many have come and the exit status that tells of
  /// it, until `body` returns `false` or the task is cancelled.
  static func watch(_ body: (_ count: Int, _ status: ExitCode) -> Bool) async {
    var count = 0
    for await signal in await UnixSignalsSequence(trapping: stopping) {
      count += 1
      guard body(count, signal == .sigint ? .interrupted : .terminated) else { return }
    }
  }
}
