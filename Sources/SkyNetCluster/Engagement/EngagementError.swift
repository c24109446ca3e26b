public import SkyNetCore

/// Why an engagement could not run.
public enum EngagementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cluster was joined without the scan of this kind, or with a scan of another type as this kind. `joinedWith` has
  /// the kinds that it was joined with.
  case unknownScan(ScanKind, joinedWith: [ScanKind])
  /// No system that can scan connected in time.
  case noSystem(waited: Duration)
  /// No system that can scan this connected in time. `reasons` has those that are connected, each with what it lacks.
  case noSuitableSystem(reasons: [String], waited: Duration)
  /// Fewer remote systems connected in time than the caller wanted.
  case tooFewSystems(wanted: Int, found: Int, waited: Duration)
  /// The job has added a task that cannot be, or that it has added before, or has given its sector a second result. It is a
  /// fault of the job's code.
  case impossibleTask(TaskID, reason: String)
  /// The journal holds an output of this sector that its scan cannot have returned.
  case impossiblePast(sector: Int, reason: String)
  /// A graceful shutdown began while this many sectors had neither a result nor failed. It is 0 if only more inputs of a
  /// sequence may have been to come.
  case interrupted(left: Int)

  public var description: String {
    switch self {
    case .unknownScan(let kind, let kinds) where kinds.contains(kind):
      "the cluster was joined with another scan of kind \(kind) than the one that is to run: give each of them a kind "
        + "of its own"
    case .unknownScan(let kind, let kinds):
      "the cluster was joined "
        + (kinds.isEmpty
          ? "without any scan" : "with \(kinds.map(\.description).joined(separator: ", "))")
        + ", and \(kind) is to run: name that scan, too, among the `scans` with which the program joins the cluster"
    case .noSystem(let waited):
      "no system was found within \(waited.inTenths) s: start one with `\(ProgramName.text) node`, name one with "
        + "--peers host:port, or leave out --no-local"
    case .noSuitableSystem(let reasons, let waited):
      "no system that can scan this was found within \(waited.inTenths) s, and these cannot: "
        + reasons.joined(separator: "; ")
    case .tooFewSystems(let wanted, let found, let waited):
      "\(found) of \(wanted) remote systems were found within \(waited.inTenths) s: "
        + "see `\(ProgramName.text) systems`, start more with `\(ProgramName.text) node`, or lower --wait-for"
    case .impossibleTask(let task, let reason):
      "the job is wrong about sector \(task.sector)"
        + (task.pass > 0 ? " in its pass \(task.pass)" : "") + ": \(reason)"
    case .impossiblePast(let sector, let reason):
      "the journal's output of sector \(sector) cannot be: \(reason); it is damaged, or was made by "
        + "somebody else: begin anew with another --journal"
    case .interrupted(0): "a shutdown ended the run before the sequence of its inputs had ended"
    case .interrupted(let left):
      "a shutdown left \(left) sectors unscanned: run again, with a journal to keep what is done"
    }
  }
}
