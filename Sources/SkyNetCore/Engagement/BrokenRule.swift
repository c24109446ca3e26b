/// A rule that is broken on purpose, to show that a simulation notices. Nothing else sets one.
package enum BrokenRule: Sendable, CaseIterable {
  /// An answer to an attempt that failed over is taken all the same, as if its system were still
  /// the same incarnation.
  case acceptsOldIncarnation
  /// Some slots are not freed.
  case forgetsSlots
  /// Some failed tasks are not handed out again.
  case dropsRetry
  /// An attempt that lost against another stays in flight.
  case keepsRival
  /// An attempt that is called back is not cancelled.
  case keepsRecalled
  /// A task is not given up for its systems' deaths.
  case ignoresDeaths
  /// A suspect is tried beside others.
  case hurriesSuspects
}

extension Engagement {
  /// An answer came to an attempt that nobody waits for.
  func lateAnswer(_ id: Attempt.ID, _ outcome: AttemptOutcome) -> [EngagementAction] {
    guard broken == .acceptsOldIncarnation, case .succeeded(let seconds) = outcome,
      let first = flights.numbers.first, let attempt = flights[first]?.attempt
    else { return [] }
    return [.accept(attempt, attempts: attempt.ordinal, seconds: seconds)]
  }
}
