import SkyNetCore

/// What is done wrong on purpose.
enum Sabotage: Hashable, CaseIterable, CustomStringConvertible {
  case rule(BrokenRule)
  /// The journal forgets a result when it is read.
  case forgetsResult

  static var allCases: [Sabotage] { BrokenRule.allCases.map { .rule($0) } + [.forgetsResult] }

  /// The troubles by which it is to be noticed.
  func plan(_ random: inout SplitMix64) -> Plan {
    guard case .rule(.hurriesSuspects) = self else { return .storm(&random) }
    var plan = Plan.oneKiller(&random)
    // The longer a death is unknown, the more is sent there.
    plan.diesLoudly = false
    plan.isCalm = false
    return plan
  }

  var description: String {
    switch self {
    case .rule(let rule): "\(rule)"
    case .forgetsResult: "forgetsResult"
    }
  }
}
