import SkyNetCore

/// What is done wrong on purpose.
enum Sabotage: Hashable, CaseIterable, CustomStringConvertible {
  case rule(BrokenRule)
  /// The journal forgets a result when it is read.
  case forgetsResult

  static var allCases: [Sabotage] { BrokenRule.allCases.map { .rule($0) } + [.forgetsResult] }

  /// The troubles by which it is to be noticed.
  func plan(_ random: inout SplitMix64) -> Plan {
    if case .rule(.hurriesSuspects) = self { return .oneKiller(&random) }
    return .storm(&random)
  }

  var description: String {
    switch self {
    case .rule(let rule): "\(rule)"
    case .forgetsResult: "forgetsResult"
    }
  }
}
