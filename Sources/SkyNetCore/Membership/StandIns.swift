/// The nodes that stand in for this process's own system: they run on the same machine, so that its slots and
/// theirs together would be more than the machine has. Nothing should depend on a node that fails whatever it
/// is given, so a stand-in whose circuit breaker is not closed counts as none.
package struct StandIns: Sendable {
  /// What becomes of this process's own system: it yields to a stand-in, which may be another one than before, or takes
  /// tasks again.
  package enum Change: Hashable, Sendable { case yields, serves }

  private var present: [Incarnation] = []
  private var unwell: Set<Incarnation> = []

  package init() {}

  /// The stand-in that does the work of this process's own system; `nil` if there is none, and that system serves.
  package var active: Incarnation? { present.first { !unwell.contains($0) } }

  /// A node that may stand in has joined.
  package mutating func joined(_ id: Incarnation) -> Change? {
    guard !present.contains(id) else { return nil }
    return change { $0.present.append(id) }
  }

  /// A system has left, or takes no new tasks. It may be any.
  package mutating func left(_ id: Incarnation) -> Change? {
    change { $0.present.removeAll { $0 == id } }
  }

  /// These systems and no others have circuit breakers that are not closed. They may be any.
  package mutating func setUnwell(_ ids: Set<Incarnation>) -> Change? {
    change { $0.unwell = ids }
  }

  private mutating func change(_ body: (inout StandIns) -> Void) -> Change? {
    let former = active
    body(&self)
    guard active != former else { return nil }
    return active == nil ? .serves : .yields
  }
}
