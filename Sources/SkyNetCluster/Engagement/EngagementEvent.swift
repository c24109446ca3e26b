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
  /// A system that connected does not know this kind of scan, and is given nothing.
  case unsuited(RemoteSystem, lacks: ScanKind)
  /// The system of this name takes nothing new, and finishes what it has.
  case leaving(String)
  /// No system is left that takes scans; one is waited for, so long. Some are still connected: they
  /// are leaving, or do not know the scan.
  case waitingForSystem(Duration, leaving: [String], unsuited: [String])
  /// No scan has ended for this long, though so many attempts are under way; those that have run for
  /// longest. Of none if all that is left waits for a system that is there, and is paused.
  case stalled([StalledAttempt], of: Int, silence: Duration)
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
  /// No system came in time that knows this kind of scan; these came, and do not.
  case noSuitableSystem(for: ScanKind, found: [String], waited: Duration)
  /// Fewer remote systems than were wanted came in time.
  case tooFewSystems(wanted: Int, found: Int, waited: Duration)
  /// The journal holds an output of this sector that cannot be one.
  case impossiblePast(sector: Int, reason: String)
  /// A graceful shutdown began while so many sectors had neither a result nor failed.
  case interrupted(left: Int)

  public var description: String {
    switch self {
    case .noSystem(let waited):
      "no system was found within \(waited.inTenths) s: start one with `skynet node`, name one with "
        + "--peers host:port, or leave out --no-local"
    case .noSuitableSystem(let kind, let found, let waited):
      "no system that knows scans of kind \(kind) was found within \(waited.inTenths) s, and these do "
        + "not know them: \(found.joined(separator: ", ")); start `skynet node` of version "
        + "\(SkyNetVersion.software) on one of them, or leave out --no-local"
    case .tooFewSystems(let wanted, let found, let waited):
      "\(found) of \(wanted) remote systems were found within \(waited.inTenths) s: "
        + "see `skynet systems`, start more with `skynet node`, or lower --wait-for"
    case .impossiblePast(let sector, let reason):
      "the journal's output of sector \(sector) cannot be: \(reason); it is damaged, or was made by "
        + "somebody else: begin anew with another --journal"
    case .interrupted(let left):
      "a shutdown left \(left) sectors unscanned: run again, with a journal to keep what is done"
    }
  }
}
