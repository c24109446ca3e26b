import SkyNetCore

/// Requests for slots. Mostly some are free where the last attempt ended; only a request that has to wait needs a child
/// of the group.
extension EngagementRun {
  /// Asks for slots for new tasks.
  func requestSlots(upTo count: Int, in group: inout Group) -> [EngagementAction] {
    switch systems.here({ $0.request(upTo: count, for: kind) }) {
    case .granted(let commitments): return takeGranted(commitments)
    case .waits(let request):
      group.addTask { [systems] in .slotsGranted(try await systems.slots(for: request)) }
      return []
    }
  }

  /// Asks for a slot for a task that is tried again, in place of an earlier request for it. Such requests go before those
  /// for new tasks.
  func requestSlot(
    for task: TaskID, _ avoiding: [Incarnation], _ caution: SlotRequest.Caution,
    in group: inout Group
  ) {
    let request = systems.here { systems in
      systems.register(upTo: 1, for: kind, avoiding: avoiding, priority: .urgent, caution: caution)
    }
    let former = retryRequests.updateValue(request, forKey: task)
    if let former { systems.here { $0.withdraw(former) } }
    awaitSlot(for: request, in: &group) { .slotGranted($0, for: task, request) }
  }

  /// Asks for a slot that no other request wants, in place of an earlier such request.
  func requestIdleSlot(excluding excluded: [Incarnation], in group: inout Group) {
    withdrawIdleSlotRequest()
    let request = systems.here {
      $0.register(upTo: 1, for: kind, avoiding: excluded, priority: .idle)
    }
    idleSlotRequest = request
    awaitSlot(for: request, in: &group) { .idleSlotGranted($0, request) }
  }

  /// Adds a child that waits for the slot of a request. A slot that is granted at once comes as an event, too.
  private func awaitSlot(
    for request: SlotRequest.ID, in group: inout Group,
    _ event: @escaping @Sendable (Systems.Commitment) -> Event
  ) {
    group.addTask { [systems] in
      (try? await systems.slots(for: request))?.first.map(event) ?? .nothing
    }
  }

  func withdrawIdleSlotRequest() {
    guard let request = idleSlotRequest.take() else { return }
    systems.here { $0.withdraw(request) }
  }

  /// Frees slots that no attempt has begun on. Returns an error if one of them was free already.
  func releaseUnused(_ unused: [Slot]) -> IllegalEvent? {
    systems.here { systems in
      var illegal: IllegalEvent?
      for slot in unused {
        do throws(IllegalEvent) { try systems.release(slot) } catch { illegal = error }
      }
      return illegal
    }
  }
}
