import SkyNetCore

/// Requests for slots.
extension EngagementRun {
  /// Asks for slots for new tasks. Mostly some are free where the last attempt ended; only a request that
  /// has to wait needs a child of the group.
  mutating func requestSlots(upTo count: Int, in group: inout Group) -> [EngagementAction] {
    let request = slots.request(upTo: count, for: job.kind)
    if let granted = request.granted { return takeGranted(granted) }
    group.addTask { .slotsGranted(try await request.value()) }
    return []
  }

  /// Asks for a slot for a task that is tried again. Such requests go before those for new tasks.
  mutating func requestSlot(
    for task: TaskID, _ avoiding: [Incarnation], _ caution: SlotRequest.Caution,
    in group: inout Group
  ) {
    let child = CancellableChild()
    retryRequests.updateValue(child, forKey: task)?.cancel()
    group.addTask { [slots, kind = job.kind] in
      let commitments = await child.perform {
        try? await slots.request(
          upTo: 1, for: kind, avoiding: avoiding, priority: .urgent, caution: caution
        ).value()
      }
      return commitments?.first.map { .slotGranted($0, for: task, child) } ?? .nothing
    }
  }

  /// Asks for a slot that no other request wants, in place of an earlier such request.
  mutating func requestIdleSlot(excluding excluded: [Incarnation], in group: inout Group) {
    withdrawIdleSlotRequest()
    let child = CancellableChild()
    idleSlotRequest = child
    group.addTask { [slots, kind = job.kind] in
      let commitments = await child.perform {
        try? await slots.request(upTo: 1, for: kind, avoiding: excluded, priority: .idle).value()
      }
      return commitments?.first.map { .idleSlotGranted($0, for: child) } ?? .nothing
    }
  }

  mutating func withdrawIdleSlotRequest() {
    idleSlotRequest?.cancel()
    idleSlotRequest = nil
  }

  /// Frees slots that no attempt has begun on. Returns an error if one of them was free already.
  func releaseUnused(_ unused: some Sequence<Slot>) -> IllegalEvent? {
    var illegal: IllegalEvent?
    for slot in unused {
      do throws(IllegalEvent) { try slots.release(slot) } catch { illegal = error }
    }
    return illegal
  }
}
