/// What an attempt's end means to its task.
public enum AttemptEnding: Hashable, Sendable {
  /// Its output is the task's.
  case succeeded
  /// The scan threw, took too long, or could not be done there: it counts against the task.
  case failed(reason: String)
  /// The system's answer cannot be the task's. It tells of the system: it counts against the task
  /// only where the task has failed on that very system before, so that liars, however many, do not
  /// use up its attempts, and a check that refuses all answers does not go on for ever.
  case refused(reason: String)
  /// The system was lost. If the scan had started there, it may be what killed it.
  case lost(reason: String, hadStarted: Bool)
  /// Nobody's fault: it was handed back or called back, or another attempt was faster.
  case withdrawn(reason: String)

  /// Whether its scan had begun, or could not be done: it failed. What was handed back, or was lost
  /// while it waited, did not.
  var isFailure: Bool {
    switch self {
    case .succeeded, .withdrawn: false
    case .failed, .refused: true
    case .lost(_, let hadStarted): hadStarted
    }
  }
}
