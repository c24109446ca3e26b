import ArgumentParser
import SkyNetCore

/// What a run says at the first signal: `stopping: waiting for 4 scans, at most 10.0 s each; Ctrl-C again stops
/// now`.
enum StopLine {
  /// - Parameters:
  ///   - scans: how many scans are under way.
  ///   - limit: how long each may run; `nil` if `--scan-timeout` sets no limit, and so at most the kind's own
  ///     holds, which is generous.
  ///   - isBeforeStart: whether the run still waits for systems.
  static func text(
    scans: Int, limit: Duration?, signal: ExitCode, isBeforeStart: Bool = false
  ) -> String {
    if isBeforeStart { return "stopping: nothing was begun" }
    guard scans > 0 else { return "stopping: no scan runs" }
    let time = limit.map { ", at most \($0.inTenths) s\(scans == 1 ? "" : " each")" } ?? ""
    let again = signal == .interrupted ? "Ctrl-C again" : "a second signal"
    return "stopping: waiting for \(scans) scan\(scans == 1 ? "" : "s")\(time); \(again) stops now"
  }
}
