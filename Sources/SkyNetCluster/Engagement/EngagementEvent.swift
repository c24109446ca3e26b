public import SkyNetCore

/// An event that an engagement reports while it runs.
public enum EngagementEvent: Sendable {
  /// An attempt at the sector was handed out to the system of this name.
  case handedOut(sector: Int, system: String)
  case completed(SectorResult)
  /// An attempt failed, and its sector will be tried again.
  case rerun(sector: Int, FailedAttempt)
  /// The engagement has given the sector up.
  case failed(SectorFailure)
  /// The journal says that an earlier process completed this sector.
  case restored(SectorResult)
  /// The journal says that an earlier process gave this sector up.
  case restoredFailure(SectorFailure)
  case connected(RemoteSystem)
  /// A system has connected, but gets no tasks for this long while other systems can scan: earlier systems
  /// at its place died young.
  case paused(RemoteSystem, for: Duration)
  case disconnected(RemoteSystem, reason: String)
  /// A system has connected, but does not know this kind of scan, and so gets no tasks.
  case unsuited(RemoteSystem, lacks: ScanKind)
  /// The system of this name drains: it takes no new tasks, and finishes those that it has.
  case leaving(String)
  /// No system is left that takes scans, and the engagement waits this long for one. The named systems are
  /// still connected, but are leaving, or do not know the scan.
  case waitingForSystem(Duration, leaving: [String], unsuited: [String])
  /// No scan has ended during this silence. `of` counts the attempts that are in flight, and the array holds
  /// those of them that have run for longest. `of` is 0 if all tasks that are left wait for a system that is
  /// connected, and paused.
  case stalled([StalledAttempt], of: Int, silence: Duration)
}

/// A sector that was scanned.
public struct SectorResult: Sendable {
  public let sector: Int
  /// The result that the job made from the scan's output.
  public let result: any Encodable & Sendable
  /// The name of the system that scanned it; `local` for this process's own.
  public let system: String
  /// How many attempts at the sector were begun.
  public let attempts: Int
  /// How long the scan ran, in seconds.
  public let seconds: Double
}

/// A sector that the engagement has given up.
public struct SectorFailure: Sendable {
  public let sector: Int
  /// The attempts that failed, in order, each with its reason.
  public let failures: [FailedAttempt]
  /// How many attempts at the sector were begun.
  public let attempts: Int
  /// How long the last scan ran, in seconds.
  public let seconds: Double
}

/// Why an engagement could not run.
public enum EngagementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No system that can scan connected in time.
  case noSystem(waited: Duration)
  /// No system that knows this kind of scan connected in time. `found` names the connected systems that do
  /// not know it.
  case noSuitableSystem(for: ScanKind, found: [String], waited: Duration)
  /// Fewer remote systems connected in time than the caller wanted.
  case tooFewSystems(wanted: Int, found: Int, waited: Duration)
  /// The journal holds an output of this sector that its scan cannot have returned.
  case impossiblePast(sector: Int, reason: String)
  /// A graceful shutdown began while this many sectors had neither a result nor failed.
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
