import SkyNetCore

/// Requests for slots. Mostly some are free where the last attempt ended; only a request that has to wait needs a child
/// of the group.
extension EngagementRun {
  /// What slots are requested for.
  enum Wish: Hashable, Sendable {
    /// Tasks that were not tried yet.
    case fresh
    /// A task that is tried again. Such requests go before those for new tasks.
    case retry(TaskID)
    /// Whatever gains most from a slot that no other request wants.
    case idle

    var priority: SlotRequest.Priority {
      switch self {
      case .fresh: .normal
      case .retry: .urgent
      case .idle: .idle
      }
    }
  }

  /// Asks for slots, in place of an earlier request for the same. Returns what follows from those that are granted at
  /// once.
  func request(
    _ wish: Wish, upTo count: Int = 1, avoiding: [Incarnation] = [],
    _ caution: SlotRequest.Caution = .none, in group: inout Group
  ) -> [EngagementAction] {
    withdraw(wish)
    let answer = systems.here { systems in
      systems.request(
        upTo: count, for: kind, of: id, avoiding: avoiding, priority: wish.priority,
        caution: caution)
    }
    switch answer {
    case .granted(let commitments): return take(commitments, for: wish, nil)
    case .waits(let request):
      requests[wish] = request
      group.addTask { [systems] in
        guard let commitments = try? await systems.slots(for: request) else { return .nothing }
        return .slotsGranted(commitments, for: wish, request)
      }
      return []
    }
  }

  func withdraw(_ wish: Wish) {
    guard let request = requests.removeValue(forKey: wish) else { return }
    systems.here { $0.withdraw(request) }
  }

  /// Tells the `Engagement` of slots that were granted.
  ///
  /// - Parameter request: the request that had to wait for them, if one had. Slots of one that was withdrawn or replaced
  ///   meanwhile are freed.
  func take(
    _ commitments: [Systems.Commitment], for wish: Wish, _ request: SlotRequest.ID?
  ) -> [EngagementAction] {
    if let request {
      guard requests[wish] == request else { return commitments.map { .release($0.slot) } }
      requests[wish] = nil
    }
    for commitment in commitments { granted[commitment.slot] = commitment.system }
    let (slots, now) = (commitments.map(\.slot), clock.now)
    return switch wish {
    case .fresh: engagement.slotsGranted(slots, at: now)
    case .retry(let task): engagement.slotGranted(slots[0], for: task, at: now)
    case .idle: engagement.idleSlotGranted(slots[0], at: now)
    }
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
