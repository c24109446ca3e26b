/// How an attempt ended, and how that counts for its task.
package enum AttemptOutcome: Hashable, Sendable {
  /// The scan returned an output after running for this many seconds. The output becomes the
  /// task's.
  case succeeded(seconds: Double)
  /// The scan threw, ran too long, or cannot be done on that system. The failure counts against the
  /// task. `seconds` is how long the scan ran, if that is known. If no other attempt would mend it, the task is
  /// given up.
  case failed(reason: String, seconds: Double? = nil, isMendable: Bool = true)
  /// The system's answer cannot be right for this task, whatever the scan found. That counts against
  /// the task only if it has failed on that very system before. So lying systems cannot use up a
  /// task's attempts, and a check that refuses every answer still comes to an end.
  case refused(reason: String)
  /// The system is gone. If the scan had started there, the scan may have killed the system. If the system is only out
  /// of reach, it cancels the scan within so many seconds.
  case lost(reason: String, cancelledWithin: Double = 0, hadStarted: Bool)
  /// The attempt ended through no fault of its task: the system handed it back, had no room for it, or is unsuited for the
  /// run; the engagement moved its task to an idle system; another attempt was faster, or failed beyond mending.
  case withdrawn(reason: String)

  /// The system drains, and did not begin the scan.
  package static let handedBack = AttemptOutcome.withdrawn(reason: "the system takes nothing new")
  static let stolen = AttemptOutcome.withdrawn(reason: "called back")
  static let outpaced = AttemptOutcome.withdrawn(reason: "another attempt was faster")

  /// The other attempt at the task has failed, and nothing mends that.
  static let futile = AttemptOutcome.withdrawn(reason: "another attempt failed beyond mending")
  /// The scan was cancelled, but not by the engagement: the engagement does not wait for the answer
  /// of an attempt that it cancels.
  package static let cancelled = AttemptOutcome.failed(reason: "cancelled")

  package init(_ failure: CallFailure) {
    self = .failed(
      reason: failure.message, seconds: failure.seconds,
      isMendable: failure.fault != .unmendable)
  }

  /// Whether the attempt's scan had begun, or could not be done, and gave no output that can be used.
  var isFailure: Bool {
    switch self {
    case .succeeded, .withdrawn: false
    case .failed, .refused: true
    case .lost(_, _, let hadStarted): hadStarted
    }
  }

  /// Whether the scan ran to an end, good or bad.
  var isEndOfScan: Bool {
    switch self {
    case .succeeded, .failed, .refused: true
    case .lost, .withdrawn: false
    }
  }

  /// Whether a system has run the scan, as far as that is known. A sector that could not be made has no time, and is
  /// given up.
  var hasRunScan: Bool {
    switch self {
    case .succeeded, .refused: true
    case .failed(_, let seconds, let isMendable): seconds != nil || isMendable
    case .lost, .withdrawn: false
    }
  }

  /// Whether no other attempt at the task would succeed either.
  var isUnmendable: Bool { if case .failed(_, _, isMendable: false) = self { true } else { false } }

  /// Why the attempt brought no output.
  package var reason: String? {
    switch self {
    case .succeeded: nil
    case .failed(let reason, _, _), .refused(let reason), .lost(let reason, _, _),
      .withdrawn(let reason):
      reason
    }
  }

  /// How long the scan ran, if that is known.
  package var seconds: Double? {
    switch self {
    case .succeeded(let seconds): seconds
    case .failed(_, let seconds, _): seconds
    case .refused, .lost, .withdrawn: nil
    }
  }
}
