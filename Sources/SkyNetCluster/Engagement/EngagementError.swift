import SkyNetCore

/// Why an engagement could not run.
public enum EngagementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No system that can scan connected in time.
  case noSystem(waited: Duration)
  /// No system that can scan this connected in time. `reasons` has those that are connected, each with what it lacks.
  case noSuitableSystem(reasons: [String], waited: Duration)
  /// Fewer remote systems connected in time than the caller wanted.
  case tooFewSystems(wanted: Int, found: Int, waited: Duration)
  /// The journal holds an output of this sector that its scan cannot have returned.
  case impossiblePast(sector: Int, reason: String)
  /// A graceful shutdown began while this many sectors had neither a result nor failed.
  case interrupted(left: Int)

  public var description: String {
    switch self {
    case .noSystem(let waited):
      "no system was found within \(waited.inTenths) s: start one with `\(ProgramName.text) node`, name one with "
        + "--peers host:port, or leave out --no-local"
    case .noSuitableSystem(let reasons, let waited):
      "no system that can scan this was found within \(waited.inTenths) s, and these cannot: "
        + reasons.joined(separator: "; ")
    case .tooFewSystems(let wanted, let found, let waited):
      "\(found) of \(wanted) remote systems were found within \(waited.inTenths) s: "
        + "see `\(ProgramName.text) systems`, start more with `\(ProgramName.text) node`, or lower --wait-for"
    case .impossiblePast(let sector, let reason):
      "the journal's output of sector \(sector) cannot be: \(reason); it is damaged, or was made by "
        + "somebody else: begin anew with another --journal"
    case .interrupted(let left):
      "a shutdown left \(left) sectors unscanned: run again, with a journal to keep what is done"
    }
  }
}
