import ArgumentParser
import Foundation
import UnixSignals

/// The signals with which people, supervisors, and terminals that close stop a program.
enum Signals {
  /// The signals that stop this process: SIGINT, SIGTERM, and SIGHUP, unless SIGHUP was ignored
  /// when the process began, as under `nohup`. This is looked up before any signal is trapped,
  /// since trapping replaces the old setting.
  static let stopping: [UnixSignal] =
    isIgnored(SIGHUP) ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]

  private static func isIgnored(_ number: CInt) -> Bool {
    // `sigaction` could look without changing, but Swift names it differently on each platform.
    let before = signal(number, SIG_IGN)
    signal(number, before)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Calls `body` for each signal, with the number of signals up to now and the exit status for
  /// this one, until `body` returns `false` or the task is cancelled.
  static func watch(_ body: (_ count: Int, _ status: ExitCode) -> Bool) async {
    await watch(await UnixSignalsSequence(trapping: stopping), body)
  }

  /// The same, for signals that are trapped already.
  static func watch(
    _ signals: UnixSignalsSequence, _ body: (_ count: Int, _ status: ExitCode) -> Bool
  ) async {
    var count = 0
    for await signal in signals {
      count += 1
      guard body(count, signal == .sigint ? .interrupted : .terminated) else { return }
    }
  }
}
