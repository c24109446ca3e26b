import DequeModule

/// Which systems are connected, which slots are committed, and which requests wait for one.
///
/// The one owner of slots. A request waits until a system that suits it has room; a slot that
/// is granted counts against its system until it is released, once. Requests are served by their
/// priority and then in order, and nothing polls: each event returns the grants that it made
/// possible.
///
/// A slot that is released without being committed is an ``IllegalEvent``: it was released before, or never
/// granted. These are *legal races*, and change nothing:
///
/// | event | crossed |
/// |---|---|
/// | a slot's release | its system's end: all of the system's slots went with it |
/// | a request's withdrawal | its grant |
/// | a system's draining or serving | the end of its connection |
/// | a system's coming while it is here, and the end that follows | its peer connected anew before the end of its former connection was told |
///
/// After each event no request waits for what is there. So what one system frees can be granted on that
/// system only, and to a new request only; all are looked through only when it changes which
/// systems there are, or which circuit breakers are open.
package struct Roster: Sendable {
  package struct Grant: Hashable, Sendable {
    package let request: SlotRequest.ID
    package let slots: [Slot]
  }

  private struct Waiting {
    let request: SlotRequest
    /// Its kind's number.
    let kind: Int
  }

  private var table = MemberTable()
  private var slotNumbers = SlotMapKeys()
  /// Where each slot that is committed is.
  private var committed = SlotMap<MemberTable.Key>()
  /// By priority, the last one first.
  private var waiting: [Deque<Waiting>] = [[], [], []]
  private var log = TransitionLog<Transition>()

  package init() {}

  /// In the order they joined.
  package var members: [Member] { table.members }

  package func member(_ id: Incarnation) -> Member? {
    table.row(of: id).map { table[$0] }
  }

  /// The latest incarnations at a place that the place itself has killed: one of them died while it
  /// ran nothing. No task that was lost with them is to blame.
  package func killed(by place: Place) -> [Incarnation] { table.killed(by: place) }

  /// Whether a slot is granted, not released, and its system has been there all the time.
  package func isCommitted(_ slot: Slot) -> Bool {
    committed[slot.number].map { table.row(of: $0) != nil } ?? false
  }

  /// When this system may be given something at the earliest; `nil` if at once.
  package func pauseEnd(of id: Incarnation) -> Instant? { table.pauseEnd(of: id) }

  // MARK: Events

  /// A system connected. One that is here already changes nothing.
  ///
  /// One at a place whose incarnations die young is paused first; see ``pauseEnd(of:)``.
  package mutating func joined(_ member: Member, at now: Instant) -> [Grant] {
    guard table.add(member, at: now) else { return [] }
    return grantWaiting()
  }

  /// A system is gone, with all of its slots.
  package mutating func left(_ id: Incarnation, at now: Instant) -> [Grant] {
    table.remove(id, at: now)
    // A request that avoided others for its sake may now have to take one of them.
    return grantWaiting()
  }

  /// A system takes nothing new.
  package mutating func draining(_ id: Incarnation) -> [Grant] {
    guard let row = table.row(of: id) else { return [] }
    table.drains(row, true)
    return grantWaiting()
  }

  /// A system that took nothing new takes scans again.
  package mutating func serving(_ id: Incarnation) -> [Grant] {
    guard let row = table.row(of: id) else { return [] }
    table.drains(row, false)
    return grantWaiting()
  }

  /// Slots are asked for.
  package mutating func requested(_ request: SlotRequest) -> [Grant] {
    let kind = table.number(of: request.kind)
    let slots = slots(for: Waiting(request: request, kind: kind))
    guard slots.isEmpty else { return [Grant(request: request.id, slots: slots)] }
    waiting[request.priority.rawValue].append(Waiting(request: request, kind: kind))
    return []
  }

  /// A request is no longer wanted.
  package mutating func withdrew(_ request: SlotRequest.ID) {
    for priority in waiting.indices { waiting[priority].removeAll { $0.request.id == request } }
  }

  /// An attempt came back, or was never begun.
  ///
  /// - Throws: `IllegalEvent` if the slot is not committed.
  package mutating func released(
    _ slot: Slot, _ report: SlotReturn = .unused, at now: Instant
  ) throws(IllegalEvent) -> [Grant] {
    guard let key = committed.removeValue(forKey: slot.number) else { throw illegal(slot) }
    slotNumbers.free(slot.number)
    log.add(Transition(slot: slot.number, system: slot.system, step: .released))
    guard let row = table.row(of: key) else { return [] }
    guard table.released(row, report, at: now) else { return grantWaiting(on: row) }
    return grantWaiting()
  }

  /// Time has passed: some circuit breakers may be half open now.
  package mutating func woke(at now: Instant) -> [Grant] {
    table.woke(at: now) ? grantWaiting() : []
  }

  /// When to tell of the time by ``woke(at:)``.
  package var nextWake: Instant? { table.firstRetry }

  // MARK: Decisions

  /// Grants what can be granted, in the order of the requests.
  private mutating func grantWaiting() -> [Grant] {
    var grants: [Grant] = []
    for priority in waiting.indices.reversed() {
      var index = 0
      while index < waiting[priority].count, table.hasRoom {
        let slots = slots(for: waiting[priority][index])
        if slots.isEmpty { index += 1 } else { grant(slots, at: index, priority, &grants) }
      }
    }
    return grants
  }

  /// Grants what has become free on one system, where all else is as it was.
  private mutating func grantWaiting(on row: Int) -> [Grant] {
    var grants: [Grant] = []
    for priority in waiting.indices.reversed() {
      var index = 0
      while index < waiting[priority].count, table.room(row, .urgent) > 0 {
        let slots = slots(on: row, for: waiting[priority][index])
        if slots.isEmpty { index += 1 } else { grant(slots, at: index, priority, &grants) }
      }
    }
    table.settle(row)
    return grants
  }

  private mutating func grant(
    _ slots: [Slot], at index: Int, _ priority: Int, _ grants: inout [Grant]
  ) {
    grants.append(Grant(request: waiting[priority].remove(at: index).request.id, slots: slots))
  }

  private mutating func slots(for waiting: Waiting) -> [Slot] {
    guard table.hasRoom else { return [] }
    let choice = table.choice(for: waiting.request, kind: waiting.kind)
    var slots: [Slot] = []
    while slots.count < waiting.request.count, let row = table.best(of: choice) {
      slots.append(commit(row, choice.isQuarantine))
      table.settle(row)
    }
    return slots
  }

  private mutating func slots(on row: Int, for waiting: Waiting) -> [Slot] {
    let request = waiting.request
    var room = min(table.room(row, for: request), request.count)
    guard room > 0, table.mayTake(request, kind: waiting.kind, row) else { return [] }
    var slots: [Slot] = []
    slots.reserveCapacity(room)
    while room > 0 {
      slots.append(commit(row, request.caution.isQuarantine))
      room -= 1
    }
    return slots
  }

  private mutating func commit(_ row: Int, _ isQuarantine: Bool) -> Slot {
    let number = slotNumbers.next()
    committed[number] = table.key(row)
    let slot = table.took(row, number, isQuarantine: isQuarantine)
    log.add(Transition(slot: number, system: slot.system, step: .granted))
    return slot
  }

  /// The error of a slot that is released and is not committed.
  private func illegal(_ slot: Slot) -> IllegalEvent {
    IllegalEvent(
      event: "slot \(SlotMapKeys.ordinal(of: slot.number)) on \(slot.name) is released",
      state: "it is not granted, and \(committed.count) slots are",
      story: log.story { $0.slot == slot.number })
  }
}
