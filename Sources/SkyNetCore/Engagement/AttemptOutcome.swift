/// How an attempt ended, and what that means to its task.
package enum AttemptOutcome: Hashable, Sendable {
  /// The scan gave an output, in this many seconds of its own. The output is the task's.
  case succeeded(seconds: Double)
  /// The scan threw, took too long, or could not be done there: it counts against the task. The scan ran
  /// for this many seconds, if that is known.
  case failed(reason: String, seconds: Double? = nil)
  /// The system answered, and its answer cannot be the task's, whatever the scan found. It tells of the
  /// system: it counts against the task only where the task has failed on that very system before, so that
  /// liars, however many, do not use up its attempts, and a check that refuses all answers does not go on
  /// for ever.
  case refused(reason: String)
  /// The system is gone. If the scan had started there, it may be what killed the system.
  case lost(reason: String, hadStarted: Bool)
  /// The attempt ended by no fault of its task or its system: the system handed it back, the engagement
  /// moved its task to an idle system, or another attempt was faster.
  case withdrawn(reason: String)

  /// The system takes nothing new, and did not begin.
  package static let handedBack = AttemptOutcome.withdrawn(reason: "the system takes nothing new")
  /// The engagement moved the task to an idle system before its scan began.
  static let stolen = AttemptOutcome.withdrawn(reason: "called back")
  /// The task's other attempt succeeded first.
  static let outpaced = AttemptOutcome.withdrawn(reason: "another attempt was faster")
  /// The scan was cancelled, and not by the engagement, which would not wait for the answer.
  package static let cancelled = AttemptOutcome.failed(reason: "cancelled")

  package init(_ failure: CallFailure) {
    self = .failed(reason: failure.message, seconds: failure.seconds)
  }

  /// Whether its scan had begun, or could not be done, and gave no output. What was handed back, or was
  /// lost while it waited, did not fail.
  var isFailure: Bool {
    switch self {
    case .succeeded, .withdrawn: false
    case .failed, .refused: true
    case .lost(_, let hadStarted): hadStarted
    }
  }

  /// Whether the attempt's scan ended, however it did.
  var isEndOfScan: Bool {
    switch self {
    case .succeeded, .failed, .refused: true
    case .lost, .withdrawn: false
    }
  }

  /// How long the scan ran, if that is known.
  package var seconds: Double? {
    switch self {
    case .succeeded(let seconds): seconds
    case .failed(_, let seconds): seconds
    case .refused, .lost, .withdrawn: nil
    }
  }
}
