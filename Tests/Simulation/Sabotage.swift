import SkyNetCore

/// A rule that a test breaks on purpose, between a coordinator's decisions and what is done of them, to
/// show that the simulation notices. The decisions themselves know nothing of it.
enum Sabotage: String, CaseIterable {
  /// The coordinator takes an answer to an attempt that failed over, as if the attempt's system were
  /// still the same incarnation.
  case acceptsOldIncarnation
  /// The coordinator does not free every fifth slot.
  case forgetsSlots
  /// The coordinator does not ask again for a slot for some failed tasks.
  case dropsRetry
  /// The coordinator does not stop an attempt that lost against its hedge, or the other way round.
  case keepsRival
  /// The coordinator does not stop an attempt whose task it moves to an idle system.
  case keepsRecalled
  /// The coordinator gives up no task for the deaths of the systems that it ran on.
  case ignoresDeaths
  /// The coordinator tries a task that may kill systems beside others.
  case hurriesSuspects
  /// The journal forgets a result when it is read.
  case forgetsResult

  /// The troubles by which the simulation is to notice it.
  func plan(_ random: inout SplitMix64) -> Plan {
    guard self == .hurriesSuspects else { return .storm(&random) }
    var plan = Plan.oneKiller(&random)
    // The longer a death is unknown, the more is sent there.
    plan.diesLoudly = false
    plan.isCalm = false
    return plan
  }
}

extension Sabotage? {
  /// The settings that the decisions get in the place of these. The ledger goes on judging by these.
  func settings(_ settings: EngagementSettings) -> EngagementSettings {
    var settings = settings
    if self == .ignoresDeaths { settings.deaths = 1 << 32 }
    return settings
  }

  /// The actions that are done in the place of these.
  func altered(_ actions: [EngagementAction]) -> [EngagementAction] {
    switch self {
    case .dropsRetry:
      actions.filter { action in
        if case .requestSlot(let task, _, _) = action {
          !task.sector.isMultiple(of: 3)
        } else {
          true
        }
      }
    case .keepsRival: withoutStops(actions) { if case .accept = $0 { true } else { false } }
    case .keepsRecalled: withoutStops(actions) { if case .begin = $0 { true } else { false } }
    case .hurriesSuspects:
      actions.map { action in
        guard case .requestSlot(let task, let avoiding, .quarantine...) = action else {
          return action
        }
        return .requestSlot(for: task, avoiding: avoiding)
      }
    case .acceptsOldIncarnation, .forgetsSlots, .ignoresDeaths, .forgetsResult, nil: actions
    }
  }

  /// The actions without those that stop an attempt, if one of them is of this sort.
  private func withoutStops(
    _ actions: [EngagementAction], besides isCause: (EngagementAction) -> Bool
  ) -> [EngagementAction] {
    guard actions.contains(where: isCause) else { return actions }
    return actions.filter { if case .cancel = $0 { false } else { true } }
  }

  /// What is done when an answer comes to an attempt that is over, while these are not.
  func actions(afterLate outcome: AttemptOutcome, open: [Attempt]) -> [EngagementAction] {
    guard self == .acceptsOldIncarnation, case .succeeded(let seconds) = outcome,
      let attempt = open.min(by: { $0.id < $1.id })
    else { return [] }
    return [.accept(attempt, attempts: attempt.ordinal, seconds: seconds)]
  }

  /// Whether the roster is not told of a slot's release, the `number`th in this world.
  func forgetsRelease(_ number: Int) -> Bool { self == .forgetsSlots && number.isMultiple(of: 5) }
}
