/// The transitions of an engagement's tasks, which the error for an illegal event quotes.
extension Engagement {
  /// One transition of a task.
  struct Transition: Sendable, CustomStringConvertible {
    enum Step: UInt8, Sendable {
      case began, hedged, started, accepted, failed, refused, lost, withdrawn, overdue, stolen,
        outpaced, asked, forgiven, abandoned, gaveUp
    }

    let task: TaskID
    /// 0 if the transition concerns the task and no particular attempt.
    let attempt: Attempt.ID
    let step: Step

    init(_ task: TaskID, _ step: Step) {
      self.task = task
      attempt = 0
      self.step = step
    }

    init(_ attempt: Attempt, _ step: Step) {
      task = attempt.task
      self.attempt = attempt.id
      self.step = step
    }

    var description: String {
      attempt == 0
        ? "\(task): \(step)" : "\(task): attempt \(SlotMapKeys.ordinal(of: attempt)) \(step)"
    }
  }

  /// Refuses an event that cannot happen.
  ///
  /// - Parameter task: the task that the event concerns, if there is one.
  func refuse(_ event: String, of task: TaskID? = nil) -> [EngagementAction] {
    let state = "\(phase), with \(flights.count) attempts in flight and \(accepted) accepted"
    return [
      .refuse(
        IllegalEvent(event: event, state: state, story: log.story { $0.task == task }))
    ]
  }
}

extension AttemptOutcome {
  /// The transition that this outcome means for the task.
  var step: Engagement.Transition.Step {
    switch self {
    case .succeeded: .accepted
    case .failed: .failed
    case .refused: .refused
    case .lost: .lost
    case .withdrawn: .withdrawn
    }
  }
}

extension Attempt {
  /// A description for people.
  var inWords: String { "attempt \(SlotMapKeys.ordinal(of: id)) at \(task)" }
}
