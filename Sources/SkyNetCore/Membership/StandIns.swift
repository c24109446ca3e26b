/// The nodes that stand in for this process's own system: they run on the same machine, so that its slots and
/// theirs together would be more than the machine has.
package struct StandIns: Sendable {
  /// What becomes of this process's own system.
  package enum Change: Hashable, Sendable {
    /// It takes no new tasks: a stand-in does its work.
    case yields
    /// It takes tasks again: no stand-in is left.
    case serves
  }

  /// In the order in which they joined.
  package private(set) var present: [Incarnation] = []

  package init() {}

  /// A node that may stand in has joined.
  package mutating func joined(_ id: Incarnation) -> Change? {
    guard !present.contains(id) else { return nil }
    present.append(id)
    return present.count == 1 ? .yields : nil
  }

  /// A system has left, or takes no new tasks. It may be any.
  package mutating func left(_ id: Incarnation) -> Change? {
    guard let index = present.firstIndex(of: id) else { return nil }
    present.remove(at: index)
    return present.isEmpty ? .serves : nil
  }
}
