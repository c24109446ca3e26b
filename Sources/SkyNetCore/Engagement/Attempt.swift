/// A task on a system.
public struct Attempt: Hashable, Sendable, Identifiable {
  public let id: UInt64
  public let task: TaskID
  public let slot: Slot
  /// Which of the task's attempts it is, from 1.
  public let ordinal: Int
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

/// One failed attempt, for people.
public struct FailedAttempt: Hashable, Sendable, Codable {
  public let system: String
  public let reason: String

  public init(system: String, reason: String) {
    self.system = system
    self.reason = reason
  }
}

/// What happened to a task that did not succeed at once.
public struct TaskStory: Hashable, Sendable {
  /// Attempts begun.
  public internal(set) var attempts = 0
  /// Why they failed, in order.
  public internal(set) var failures: [FailedAttempt] = []
  /// The last scan's own time.
  public internal(set) var seconds = 0.0
  /// Where they failed, the last one last.
  var systems: [Incarnation] = []
  /// Failures that count against the task.
  var thrown = 0
  /// Systems lost while the task ran there.
  var deaths = 0

  mutating func failed(on slot: Slot, _ reason: String) {
    failures.append(FailedAttempt(system: slot.name, reason: reason))
    systems.removeAll { $0 == slot.system }
    systems.append(slot.system)
  }
}
