/// The actions of an engagement that are still to be performed, in their order.
///
/// Whoever performs one may know at once what came of it, such as that a slot is free. The engagement is told, and
/// answers with further actions before the earlier ones are all performed. So a request may be next that the engagement
/// has replaced or withdrawn since. It is passed over: a slot for it would be one that nobody asked for.
package struct ActionQueue {
  private var actions: [EngagementAction]
  private var next = 0

  package init(_ actions: [EngagementAction]) { self.actions = actions }

  package mutating func append(_ actions: [EngagementAction]) {
    self.actions.append(contentsOf: actions)
  }

  /// Takes the next action; `nil` if none is left.
  package mutating func takeFirst() -> EngagementAction? {
    while next < actions.count {
      let action = actions[next]
      next += 1
      switch action {
      case .requestIdleSlot, .requestSlot:
        if !actions[next...].contains(where: { $0.replaces(action) }) { return action }
      default: return action
      }
    }
    return nil
  }
}

extension EngagementAction {
  /// Whether this replaces an earlier request for a slot, or withdraws it.
  fileprivate func replaces(_ request: EngagementAction) -> Bool {
    switch (request, self) {
    case (.requestIdleSlot, .requestIdleSlot), (.requestIdleSlot, .withdrawIdleSlot): true
    case (.requestSlot(let task, _, _), .requestSlot(let other, _, _)): task == other
    default: false
    }
  }
}
