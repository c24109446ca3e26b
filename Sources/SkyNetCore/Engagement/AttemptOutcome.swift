/// How an attempt ended, and how that counts for its task.
package enum AttemptOutcome: Hashable, Sendable {
  /// The scan returned an output after running for this many seconds. The output becomes the
  /// task's.
  case succeeded(seconds: Double)
  /// The scan threw, ran too long, or cannot be done on that system. The failure counts against the
  /// task. `seconds` is how long the scan ran, if that is known. By its code, the task may be given up at once.
  case failed(reason: String, seconds: Double? = nil, code: FailedAttempt.Code = .failed)
  /// The system's answer cannot be right for this task, whatever the scan found. That counts against
  /// the task only if it has failed on that very system before. So lying systems cannot use up a
  /// task's attempts, and a check that refuses every answer still comes to an end.
  case refused(reason: String)
  /// The system is gone. If the scan had started there, the scan may have killed the system. If the system is only out
  /// of reach, it cancels the scan within so many seconds.
  case lost(reason: String, cancelledWithin: Double = 0, hadStarted: Bool)
  /// The attempt ended through no fault of its task: the system handed it back, had no room for it, or is unsuited for the
  /// run; the engagement moved its task to an idle system; another attempt was faster, or failed beyond mending.
  case withdrawn(reason: String, code: FailedAttempt.Code = .calledBack)

  /// The system drains, and did not begin the scan.
  package static let handedBack = AttemptOutcome.withdrawn(
    reason: "the system takes nothing new", code: .handedBack)
  static let stolen = AttemptOutcome.withdrawn(reason: "called back")
  static let outpaced = AttemptOutcome.withdrawn(reason: "another attempt was faster")

  /// The other attempt at the task has failed, and nothing mends that.
  static let futile = AttemptOutcome.withdrawn(reason: "another attempt failed beyond mending")
  /// The scan was cancelled, but not by the engagement: the engagement does not wait for the answer
  /// of an attempt that it cancels.
  package static let cancelled = AttemptOutcome.failed(reason: "cancelled", code: .cancelled)

  package init(_ failure: CallFailure) {
    self =
      switch failure.fault {
      case .draining: .handedBack
      case .unsuited: .withdrawn(reason: failure.message, code: .unsuited)
      case .full: .withdrawn(reason: failure.message, code: .full)
      case .cancelled: .cancelled
      case .unmendable:
        .failed(reason: failure.message, seconds: failure.seconds, code: .unmendable)
      case .tooLarge: .failed(reason: failure.message, seconds: failure.seconds, code: .tooLarge)
      case .task, .system, .data: .failed(reason: failure.message, seconds: failure.seconds)
      }
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
    case .failed(_, let seconds, let code): seconds != nil || !code.isFinal
    case .lost, .withdrawn: false
    }
  }

  /// Whether no other attempt at the task would succeed either.
  package var isUnmendable: Bool {
    if case .failed(_, _, let code) = self { code.isFinal } else { false }
  }

  /// Whether it is the job's to say if another attempt at the task is made.
  package var mayBeRetried: Bool {
    switch self {
    case .failed: !isUnmendable && self != .cancelled
    case .refused: true
    case .succeeded, .lost, .withdrawn: false
    }
  }

  /// Whether the system had no room for the scan.
  var isShortage: Bool { if case .withdrawn(_, .full) = self { true } else { false } }

  /// Why the attempt brought no output.
  package var reason: String? {
    switch self {
    case .succeeded: nil
    case .failed(let reason, _, _), .refused(let reason), .lost(let reason, _, _),
      .withdrawn(let reason, _):
      reason
    }
  }

  /// The attempt as one that failed on a system of this name; `nil` if it succeeded.
  package func failure(on system: String) -> FailedAttempt? {
    let code: FailedAttempt.Code
    switch self {
    case .succeeded: return nil
    case .failed(_, _, let known), .withdrawn(_, let known): code = known
    case .refused: code = .refused
    case .lost: code = .lost
    }
    return FailedAttempt(system: system, code: code, reason: reason ?? "")
  }

  /// The same outcome. If the system was lost while the scan ran there, its reason names the scan, which may be the cause.
  package func naming(_ task: TaskID, of kind: ScanKind) -> AttemptOutcome {
    guard case .lost(let reason, let time, hadStarted: true) = self else { return self }
    return .lost(
      reason: "\(reason); it ran sector \(task.sector) (\(kind)), which may be the cause",
      cancelledWithin: time, hadStarted: true)
  }

  /// The same failure as one that is not worth another attempt.
  package var asUnmendable: AttemptOutcome {
    .failed(reason: reason ?? "", seconds: seconds, code: .unmendable)
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
