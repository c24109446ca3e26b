import ArgumentParser
import SkyNetCore

/// What a run says at the first signal: `stopping: waiting for 4 scans, at most 10.0 s each; Ctrl-C again stops
/// now`.
enum StopLine {
  /// - Parameters:
  ///   - scans: how many scans are under way.
  ///   - limit: how long each may run; `nil` if `--scan-timeout` sets no limit, and so at most the kind's own
  ///     holds, which is generous.
  ///   - runLimit: how long the run waits for all of them; `nil` if until they end.
  ///   - isBeforeStart: whether the run still waits for systems.
  static func text(
    scans: Int, limit: Duration?, runLimit: Duration? = nil, signal: ExitCode,
    isBeforeStart: Bool = false
  ) -> String {
    if isBeforeStart { return "stopping: nothing was begun" }
    guard scans > 0 else { return "stopping: no scan runs" }
    let time =
      switch (limit, runLimit) {
      case (let limit?, let runLimit) where limit <= runLimit ?? limit:
        ", at most \(limit.inTenths) s\(scans == 1 ? "" : " each")"
      case (_, let runLimit?): ", at most \(runLimit.inTenths) s"
      default: ""
      }
    let again = signal == .interrupted ? "Ctrl-C again" : "a second signal"
    return "stopping: waiting for \(scans) scan\(scans == 1 ? "" : "s")\(time); \(again) stops now"
  }

  /// What a run says that ends at its limit.
  ///
  /// - Parameter scans: how many scans are given up.
  static func text(unended scans: Int, after limit: Duration?) -> String {
    let time = limit.map { " within \($0.inTenths) s" } ?? ""
    return "stopping: \(scans == 1 ? "1 scan has" : "\(scans) scans have") not ended\(time)"
  }
}
