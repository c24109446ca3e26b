/// A task on a system.
public struct Attempt: Hashable, Sendable, Identifiable {
  public let id: UInt64
  public let task: TaskID
  public let slot: Slot
  /// Which of the task's attempts it is, from 1.
  public let ordinal: Int
  /// Whether it is a second try of what another attempt has not ended: systems serve it last.
  public let isHedge: Bool
}

/// How an attempt ended, as far as its sender knows.
public enum AttemptOutcome: Hashable, Sendable {
  /// The scan gave an output, in this many seconds of its own.
  case succeeded(seconds: Double)
  /// The scan threw, or the system could not do it.
  case failed(CallFailure)
  /// The system takes nothing new, and did not begin.
  case handedBack
  /// The system is gone; whether the scan had begun there, is known.
  case lost(reason: String, hadStarted: Bool)
  /// It was cancelled from this side.
  case cancelled
}
