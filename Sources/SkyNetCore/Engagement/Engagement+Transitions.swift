/// The transitions of an engagement's tasks, which the error for an illegal event quotes.
extension Engagement {
  enum Step: UInt8, Sendable {
    case began, hedged, started, accepted, failed, refused, lost, withdrawn, overdue, stolen,
      outpaced, asked, forgiven, abandoned, gaveUp
  }

  /// Refuses an event that cannot happen.
  func refuse(_ event: String, of task: TaskID? = nil) -> [EngagementAction] {
    let state = "\(phase), with \(flights.count) attempts in flight and \(accepted) accepted"
    let story = log.story(of: task) { "\($0)" }
    return [.refuse(IllegalEvent(event: event, state: state, story: story))]
  }
}

extension TransitionLog<TaskID, Engagement.Step> {
  mutating func add(_ attempt: Attempt, _ step: Step) {
    add(attempt.task, attempt: attempt.id, step)
  }
}

extension AttemptOutcome {
  var step: Engagement.Step {
    switch self {
    case .succeeded: .accepted
    case .failed: .failed
    case .refused: .refused
    case .lost: .lost
    case .withdrawn: .withdrawn
    }
  }
}
