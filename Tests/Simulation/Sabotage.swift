import SkyNetCore

/// A rule that a test breaks on purpose, between a coordinator's decisions and their execution, to
/// show that the simulation notices. The decisions themselves know nothing of it.
enum Sabotage: String, CaseIterable {
  /// The coordinator takes the answer of an attempt that it has failed over, as if the attempt's
  /// system were still the same incarnation.
  case acceptsOldIncarnation
  /// The coordinator does not free every fifth slot.
  case forgetsSlots
  /// The coordinator does not request slots for some of the retries.
  case dropsRetry
  /// The coordinator does not stop an attempt whose rival was faster.
  case keepsRival
  /// The coordinator does not stop an attempt whose task it moves to an idle system.
  case keepsStolen
  /// The coordinator never gives up a task for the deaths of systems that it ran on.
  case ignoresDeaths
  /// The coordinator runs a suspect beside other attempts.
  case skipsQuarantine
  /// The journal loses a result when it is read.
  case forgetsResult

  /// The plan of a world in which the simulation must notice it.
  func plan(_ random: inout SplitMix64) -> Plan {
    guard self == .skipsQuarantine else { return .storm(&random) }
    var plan = Plan.oneKiller(&random)
    // The longer a death stays unnoticed, the more attempts are sent there.
    plan.diesLoudly = false
    plan.isCalm = false
    return plan
  }
}

extension Sabotage? {
  /// The settings that the decisions get instead of these. The ledger still judges by these.
  func settings(_ settings: EngagementSettings) -> EngagementSettings {
    var settings = settings
    if self == .ignoresDeaths { settings.deaths = 1 << 32 }
    return settings
  }

  /// The actions that are performed instead of these.
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
    case .keepsStolen: withoutStops(actions) { if case .begin = $0 { true } else { false } }
    case .skipsQuarantine:
      actions.map { action in
        guard case .requestSlot(let task, let avoiding, .quarantine...) = action else {
          return action
        }
        return .requestSlot(for: task, avoiding: avoiding)
      }
    case .acceptsOldIncarnation, .forgetsSlots, .ignoresDeaths, .forgetsResult, nil: actions
    }
  }

  /// The actions without those that stop an attempt, if one of them satisfies `isCause`.
  private func withoutStops(
    _ actions: [EngagementAction], besides isCause: (EngagementAction) -> Bool
  ) -> [EngagementAction] {
    guard actions.contains(where: isCause) else { return actions }
    return actions.filter { if case .cancel = $0 { false } else { true } }
  }

  /// The actions after a late answer of an attempt that has ended, while the attempts in `open`
  /// have not.
  func actions(afterLate outcome: AttemptOutcome, open: [Attempt]) -> [EngagementAction] {
    guard self == .acceptsOldIncarnation, case .succeeded(let seconds) = outcome,
      let attempt = open.min(by: { $0.id < $1.id })
    else { return [] }
    return [.accept(attempt, attempts: attempt.ordinal, seconds: seconds)]
  }

  /// Whether to keep a release from the roster. It is the `number`th in this world.
  func forgetsRelease(_ number: Int) -> Bool { self == .forgetsSlots && number.isMultiple(of: 5) }
}
