import SkyNetCluster
import SkyNetCore

/// What happens in a run, as lines that people and scripts read.
enum EventLine {
  /// The line that tells of an event; `nil` for those that are told otherwise, or not at all.
  static func text(_ event: EngagementEvent) -> String? {
    switch event {
    case .handedOut, .completed, .restored: nil
    case .rerun(let sector, let failure): "re-run \(sector): \(text(failure))"
    case .failed(let failure): gaveUp(failure)
    case .restoredFailure(let failure): gaveUp(failure, when: " in an earlier process")
    case .connected(let system): "connected \(system.name)"
    case .paused(let system, let duration):
      "paused \(system.name) for \(duration.inTenths) s while there are others: its last process "
        + "died young"
    case .disconnected(let system, let reason): "disconnected \(system.name): \(reason)"
    }
  }

  private static func gaveUp(_ failure: SectorFailure, when: String = "") -> String {
    "gave up \(failure.sector)\(when) after \(failure.attempts) "
      + "attempt\(failure.attempts == 1 ? "" : "s"): " + reasons(failure.failures)
  }

  /// Every reason, in the order of the attempts; those that are alike once, with how many there
  /// were.
  private static func reasons(_ failures: [FailedAttempt]) -> String {
    var counts: [FailedAttempt: Int] = [:]
    for failure in failures { counts[failure, default: 0] += 1 }
    return failures.compactMap { failure in
      guard let count = counts.removeValue(forKey: failure) else { return nil }
      return text(failure) + (count > 1 ? " (\(count) times)" : "")
    }.joined(separator: "; ")
  }

  private static func text(_ failure: FailedAttempt) -> String {
    "failed on \(failure.system): \(failure.reason)"
  }
}
