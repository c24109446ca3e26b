/// The story of a task that did not succeed at once.
package struct TaskStory: Hashable, Sendable, Codable {
  package private(set) var attempts = 0
  /// Why attempts failed, in order; the first and the latest of very many.
  package private(set) var failures: [FailedAttempt] = []
  package private(set) var seconds = 0.0
  /// The systems where attempts failed, the last one last; the latest of very many.
  package private(set) var systems: [Incarnation] = []
  /// The number of failures that count against the task.
  package private(set) var thrown = 0
  /// The systems that were lost while the task ran there, and that were not seen again.
  package private(set) var dead: [Incarnation] = []
  /// The number of this process's attempts but for those that found no room, which are made for as long as it takes.
  private(set) var tries = 0
  /// `true` if an earlier process of the run ended while a scan of the task ran on another system.
  package var isLeftElsewhere: Bool?

  /// The most failures, and the most systems, that a story keeps. Where connections break every
  /// second there is no end of them.
  static let historyLimit = 64

  package init() {}

  package var deaths: Int { dead.count }

  package mutating func began() {
    attempts += 1
    tries += 1
  }

  /// Earlier processes have begun so many attempts.
  package mutating func began(times: Int) { attempts += times }

  /// An attempt ended.
  ///
  /// - Parameter name: the name of the system, for people.
  package mutating func ended(
    _ outcome: AttemptOutcome, on system: Incarnation, named name: String
  ) {
    seconds = outcome.seconds ?? seconds
    guard let failure = outcome.failure(on: name) else { return }
    if outcome.isShortage { tries -= 1 }
    switch outcome {
    case .failed: thrown += 1
    case .refused where systems.contains(system): thrown += 1
    case .lost(_, _, hadStarted: true): dead.append(system)
    case .succeeded, .refused, .lost, .withdrawn: break
    }
    if failures.count == Self.historyLimit { failures.remove(at: Self.historyLimit / 2) }
    failures.append(failure)
    systems.removeAll { $0 == system }
    if systems.count == Self.historyLimit { systems.removeFirst() }
    systems.append(system)
  }

  /// A lost system is connected again, as the same process: it was silent, and not dead.
  ///
  /// - Returns: whether this story had counted its death.
  package mutating func returned(_ system: Incarnation) -> Bool {
    let deaths = deaths
    dead.removeAll { $0 == system }
    return dead.count < deaths
  }

  /// The story of a task that was never made, by default because it needs the outputs of all sectors of an
  /// earlier pass.
  package static func neverMade(
    reason: String = "it needs another sector, which was not scanned"
  ) -> TaskStory {
    var story = TaskStory()
    story.add(reason)
    return story
  }

  /// Adds a reason that does not come from an attempt.
  mutating func add(_ reason: String) {
    failures.append(FailedAttempt(system: "none", reason: reason))
  }
}
