import SkyNetTransport

/// Which refusals are worth a line: each host's once for each reason, and in a flood soon no more.
struct RefusalLog {
  enum Verdict {
    case tell
    /// It is the last that is told of.
    case tellLast
    case keepQuiet
  }

  private static let limit = 100
  private var told: Set<String> = []

  mutating func verdict(on refusal: Refusal) -> Verdict {
    guard told.count < Self.limit, told.insert("\(refusal.host) \(refusal.reason)").inserted
    else { return .keepQuiet }
    return told.count < Self.limit ? .tell : .tellLast
  }
}
