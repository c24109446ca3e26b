/// One failed attempt, for people.
public struct FailedAttempt: Hashable, Sendable, Codable {
  public let system: String
  public let reason: String

  public init(system: String, reason: String) {
    self.system = system
    self.reason = reason
  }
}

/// The story of a task that did not succeed at once.
package struct TaskStory: Hashable, Sendable, Codable {
  /// The number of attempts that began.
  package private(set) var attempts = 0
  /// The reasons of failed attempts, in order. If there are very many, the first and the latest are
  /// kept.
  package private(set) var failures: [FailedAttempt] = []
  /// How long the last scan ran.
  package private(set) var seconds = 0.0
  /// The systems where attempts failed, the last one last. If there are very many, the latest are
  /// kept.
  package private(set) var systems: [Incarnation] = []
  /// The number of failures that count against the task.
  package private(set) var thrown = 0
  /// The systems that were lost while the task ran there, and that were not seen again.
  package private(set) var dead: [Incarnation] = []

  /// The most failures, and the most systems, that a story keeps. Where connections break every
  /// second, or processes restart again and again, there is no end of them.
  static let historyLimit = 64

  package init() {}

  /// The number of systems that were lost while the task ran there, and that were not seen again.
  package var deaths: Int { dead.count }

  /// An attempt of the task began, or as many as `times` says.
  package mutating func began(times: Int = 1) { attempts += times }

  /// An attempt ended.
  ///
  /// - Parameter name: the name of the system, for people.
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

  /// A lost system is connected again, as the same process: it was silent, and not dead.
  ///
  /// - Returns: whether this story had counted its death.
  package mutating func returned(_ system: Incarnation) -> Bool {
    guard dead.contains(system) else { return false }
    dead.removeAll { $0 == system }
    return true
  }

  /// The story of a task that was never made because it needs the outputs of all sectors of an
  /// earlier pass.
  package static var neverMade: TaskStory {
    neverMade(reason: "it needs another sector, which was not scanned")
  }

  /// The story of a task that was never made for this reason.
  package static func neverMade(reason: String) -> TaskStory {
    var story = TaskStory()
    story.add(FailedAttempt(system: "none", reason: reason))
    return story
  }

  /// Adds a reason that does not come from an attempt.
  mutating func add(_ failure: FailedAttempt) { failures.append(failure) }

  private mutating func failed(_ reason: String, on system: Incarnation, named name: String) {
    if failures.count == Self.historyLimit { failures.remove(at: Self.historyLimit / 2) }
    failures.append(FailedAttempt(system: name, reason: reason))
    systems.removeAll { $0 == system }
    if systems.count == Self.historyLimit { systems.removeFirst() }
    systems.append(system)
  }
}
