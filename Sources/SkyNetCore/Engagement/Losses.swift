/// How often scans are lost with their systems, whatever the cause.
///
/// Where systems die again and again, some tasks meet several deaths by bad luck alone. How many
/// innocent tasks that hits follows from the losses of all other tasks.
package struct Losses: Hashable, Sendable {
  package var attempts: Int
  /// For each system that was lost, the number of attempts that had started there.
  package private(set) var bySystem: [Incarnation: Int]

  package init(attempts: Int = 0, bySystem: [Incarnation: Int] = [:]) {
    self.attempts = attempts
    self.bySystem = bySystem
  }

  mutating func lost(on system: Incarnation) { bySystem[system, default: 0] += 1 }

  /// A lost system is connected again, as the same process. So it had not died.
  mutating func returned(_ system: Incarnation) { bySystem[system] = nil }

  /// The number of tasks expected to have run at this many deaths without causing any, if the
  /// losses with systems other than these show the rate of bad luck.
  ///
  /// With L attempts lost of A, each attempt is lost with the probability L/A, and A (L/A)ⁿ tasks
  /// meet n deaths in a row.
  func innocents(atDeaths count: Int, on systems: [Incarnation]) -> Double {
    let own = Set(systems).reduce(0) { $0 + (bySystem[$1] ?? 0) }
    let others = Double(bySystem.values.reduce(0, +) - own)
    guard others > 0, attempts > 0 else { return 0 }
    let share = min(1, others / Double(attempts))
    return (1..<max(1, count)).reduce(others) { product, _ in product * share }
  }
}
