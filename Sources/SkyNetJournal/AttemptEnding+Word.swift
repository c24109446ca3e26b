import SkyNetCore

/// How a journal records the way an attempt ended. It records a refused answer as a failure.
extension AttemptEnding {
  init?(word: String, reason: String, hadStarted: Bool) {
    switch word {
    case "succeeded": self = .succeeded
    case "failed": self = .failed(reason: reason)
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

  var reason: String? {
    switch self {
    case .succeeded: nil
    case .failed(let reason), .refused(let reason), .lost(let reason, _), .withdrawn(let reason):
      reason
    }
  }

  var hadStarted: Bool? {
    if case .lost(_, let hadStarted) = self { hadStarted } else { nil }
  }
}
