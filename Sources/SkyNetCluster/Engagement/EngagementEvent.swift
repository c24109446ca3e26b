public import SkyNetCore

/// What an engagement tells while it runs.
public enum EngagementEvent: Sendable {
  case handedOut(sector: Int, system: String)
  case completed(SectorResult)
  /// An attempt failed, and its sector will be tried again.
  case rerun(sector: Int, FailedAttempt)
  case failed(SectorFailure)
  /// An earlier process did this sector, as the journal tells.
  case restored(SectorResult)
  /// An earlier process gave this sector up.
  case restoredFailure(SectorFailure)
  case connected(RemoteSystem)
  /// A system that connected is given nothing for so long, as long as others can scan: systems at its
  /// place died young.
  case paused(RemoteSystem, for: Duration)
  case disconnected(RemoteSystem, reason: String)
}

/// A sector that was scanned.
public struct SectorResult: Sendable {
  public let sector: Int
  /// What the job made of the scan's output.
  public let result: any Encodable & Sendable
  /// The name of the system that scanned it; `local` for this process's own.
  public let system: String
  /// All attempts that were begun.
  public let attempts: Int
  /// The scan's own time.
  public let seconds: Double
}

/// A sector that was given up.
public struct SectorFailure: Sendable {
  public let sector: Int
  /// Why each attempt failed, in order.
  public let failures: [FailedAttempt]
  public let attempts: Int
  /// The last scan's own time.
  public let seconds: Double
}

/// Why an engagement could not run.
public enum EngagementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No system that can scan came in time.
  case noSystem(waited: Duration)
  /// Fewer remote systems than were wanted came in time.
  case tooFewSystems(wanted: Int, found: Int, waited: Duration)

  public var description: String {
    switch self {
    case .noSystem(let waited):
      "no system was found within \(waited.inTenths) s: start one with `skynet node`, name one with "
        + "--peers host:port, or leave out --no-local"
    case .tooFewSystems(let wanted, let found, let waited):
      "\(found) of \(wanted) remote systems were found within \(waited.inTenths) s: "
        + "see `skynet systems`, start more with `skynet node`, or lower --wait-for"
    }
  }
}
