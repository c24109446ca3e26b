/// How often scans are lost with their systems, by whosever fault.
///
/// A task that runs at three deaths is taken for the cause: a poison task. But where systems die anyway, again and again,
/// some tasks are there each time by bad luck alone; how many, can be told from the others.
package struct Losses: Hashable, Sendable {
  /// Attempts begun.
  package var attempts: Int
  /// Of systems that were lost: how many attempts had started there.
  package private(set) var bySystem: [Incarnation: Int]

  package init(attempts: Int = 0, bySystem: [Incarnation: Int] = [:]) {
    self.attempts = attempts
    self.bySystem = bySystem
  }

  /// An attempt that had started was lost with its system.
  mutating func lost(on system: Incarnation) { bySystem[system, default: 0] += 1 }

  /// A system that was lost is there again, as the same process: nothing died.
  mutating func returned(_ system: Incarnation) { bySystem[system] = nil }

  /// How many tasks are to be expected to have run at that many deaths without causing any, if what
  /// was lost with other systems than these is what bad luck takes.
  ///
  /// With L attempts lost of A, each of them being lost with the probability L/A, that many deaths
  /// in a row meet A (L/A)ⁿ tasks.
  func innocents(atDeaths count: Int, on systems: [Incarnation]) -> Double {
    let own = Set(systems).reduce(0) { $0 + (bySystem[$1] ?? 0) }
    let others = Double(bySystem.values.reduce(0, +) - own)
    guard others > 0, attempts > 0 else { return 0 }
    let share = min(1, others / Double(attempts))
    return (1..<max(1, count)).reduce(others) { product, _ in product * share }
  }
}
