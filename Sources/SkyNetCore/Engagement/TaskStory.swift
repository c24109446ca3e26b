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
package struct TaskStory: Hashable, Sendable, Codable {
  /// Attempts begun.
  package private(set) var attempts = 0
  /// Why they failed, in order; of very many the first ones and the latest.
  package private(set) var failures: [FailedAttempt] = []
  /// The last scan's own time.
  package private(set) var seconds = 0.0
  /// Where they failed, the last one last; of very many the latest.
  package private(set) var systems: [Incarnation] = []
  /// Failures that count against the task.
  package private(set) var thrown = 0
  /// Systems lost while the task ran there, and not seen again.
  package private(set) var dead: [Incarnation] = []

  /// How many failures, and how many systems, are remembered: where connections break each second, or
  /// processes are started again and again, there is no end of them.
  static let remembered = 64

  package init() {}

  /// How many systems were lost while the task ran there, and not seen again.
  package var deaths: Int { dead.count }

  /// Another attempt of the task begins, or so many that are known of.
  package mutating func began(times: Int = 1) { attempts += times }

  /// An attempt ended.
  ///
  /// - Parameter name: the system's, for people.
  package mutating func ended(
    _ outcome: AttemptOutcome, on system: Incarnation, named name: String
  ) {
    seconds = outcome.seconds ?? seconds
    switch outcome {
    case .succeeded: return
    case .failed(let reason, _):
      thrown += 1
      failed(reason, on: system, named: name)
    case .refused(let reason):
      if systems.contains(system) { thrown += 1 }
      failed(reason, on: system, named: name)
    case .lost(let reason, let hadStarted):
      if hadStarted { dead.append(system) }
      failed(reason, on: system, named: name)
    case .withdrawn(let reason):
      failed(reason, on: system, named: name)
    }
  }

  /// A system that was lost is there again, as the same process: it was silent, and not dead.
  ///
  /// - Returns: whether this story counted its death.
  package mutating func returned(_ system: Incarnation) -> Bool {
    guard dead.contains(system) else { return false }
    dead.removeAll { $0 == system }
    return true
  }

  /// Of a task that was never made, as it needs all of an earlier pass.
  package static var neverMade: TaskStory {
    var story = TaskStory()
    story.add(
      FailedAttempt(system: "none", reason: "it needs another sector, which was not scanned"))
    return story
  }

  /// A reason that is no attempt's.
  mutating func add(_ failure: FailedAttempt) { failures.append(failure) }

  private mutating func failed(_ reason: String, on system: Incarnation, named name: String) {
    if failures.count == Self.remembered { failures.remove(at: Self.remembered / 2) }
    failures.append(FailedAttempt(system: name, reason: reason))
    systems.removeAll { $0 == system }
    if systems.count == Self.remembered { systems.removeFirst() }
    systems.append(system)
  }
}
