import SkyNetCore

/// How a journal records the way an attempt ended. It records a refused answer as a failure.
extension AttemptOutcome {
  init?(word: String, reason: String, hadStarted: Bool, seconds: Double?) {
    switch word {
    case "succeeded": self = .succeeded(seconds: seconds ?? 0)
    case "failed": self = .failed(reason: reason, seconds: seconds)
    case "lost": self = .lost(reason: reason, hadStarted: hadStarted)
    case "withdrawn": self = .withdrawn(reason: reason)
    default: return nil
    }
  }

  var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed, .refused: "failed"
    case .lost: "lost"
    case .withdrawn: "withdrawn"
    }
  }

  var hadStarted: Bool? {
    if case .lost(_, _, let hadStarted) = self { hadStarted } else { nil }
  }
}
