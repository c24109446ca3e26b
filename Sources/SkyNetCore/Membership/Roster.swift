import DequeModule

/// The connected systems, their committed slots, and the requests that wait for a slot.
///
/// The roster is the one owner of slots. A granted slot counts against its system until it is
/// released, once. Requests are served by priority, and within a priority in order. Each event returns
/// the grants that it made possible.
///
/// The release of a slot that is not committed is an ``IllegalEvent``. The following events are *legal
/// races*, and change nothing:
///
/// | event | crossed |
/// |---|---|
/// | a slot's release | its system's end: all of the system's slots went with it |
/// | a request's withdrawal | its grant |
/// | a system's draining or serving | the end of its connection |
/// | a system's joining while it is here, and the leaving that follows | the peer connected anew before the end of its former connection was reported |
///
/// After each event, no waiting request fits the room that is left. So room that one system frees
/// can only be granted on that system, and a new request only has to be tried itself. All requests
/// are tried on all systems only if an event changes which systems there are, or which circuit
/// breakers are open.
package struct Roster: Sendable {
  package struct Grant: Hashable, Sendable {
    package let request: SlotRequest.ID
    package let slots: [Slot]
  }

  private enum SlotStep: UInt8 { case granted, released }

  private struct WaitingRequest {
    let request: SlotRequest
    let kind: Int
  }

  private var table = MemberTable()
  private var slotKeys = SlotMapKeys()
  /// The system of each committed slot.
  private var committed = SlotMap<MemberTable.Key>()
  /// The waiting requests by priority, the lowest priority first.
  private var waiting: [Deque<WaitingRequest>] = [[], [], []]
  private var log = TransitionLog<UInt64, SlotStep>()

  package init() {}

  package var members: [Member] { table.members }

  package func member(_ id: Incarnation) -> Member? {
    table.row(of: id).map { table[$0] }
  }

  /// The latest incarnations at a place that the place itself killed, because one of them died
  /// while it ran nothing. No task that was lost with them is to blame.
  package func killed(by place: Place) -> [Incarnation] { table.places.killed(by: place) }

  /// Whether a slot is granted and not released, and its system is here.
  package func isCommitted(_ slot: Slot) -> Bool {
    committed[slot.number].map { table.row(of: $0) != nil } ?? false
  }

  /// A system that gets no work for a while because its circuit breaker is open.
  package struct Pause: Hashable, Sendable {
    package let id: Incarnation
    /// How often the system has failed in a row; 0 if earlier incarnations at its place died young.
    package let failures: Int
    package let end: Instant
  }

  package var pauses: [Pause] {
    table.members.compactMap { member in
      member.breaker.openUntil.map { end in
        Pause(id: member.id, failures: member.breaker.failures, end: end)
      }
    }
  }

  /// The systems whose circuit breakers are open or half open.
  package var unwell: [Incarnation] {
    table.members.filter { !$0.breaker.isClosed }.map(\.id)
  }

  // MARK: Events

  /// A system connected. If it is here already, nothing changes.
  ///
  /// A system at a place whose incarnations die young is paused first; see ``pauses``.
  package mutating func joined(_ member: Member, at now: Instant) -> [Grant] {
    guard table.add(member, at: now) else { return [] }
    return grantWaiting()
  }

  /// A system is gone, with all of its slots.
  ///
  /// - Parameter inOrder: whether one of the two sides said goodbye. If not, a system that was asked to
  ///   drain has died. Any other has died unless it said before that it leaves.
  package mutating func left(_ id: Incarnation, inOrder: Bool = false, at now: Instant) -> [Grant] {
    table.remove(id, inOrder: inOrder, at: now)
    // A request that avoided other systems in favour of this one may now have to take one of them.
    return grantWaiting()
  }

  /// A system takes nothing new, because this client has asked it to or because it is about to leave.
  package mutating func draining(_ id: Incarnation, by client: String? = nil) -> [Grant] {
    setDrain(of: id, to: client.map(DrainReason.asked) ?? .leaving)
  }

  package mutating func serving(_ id: Incarnation) -> [Grant] { setDrain(of: id, to: nil) }

  private mutating func setDrain(of id: Incarnation, to drain: DrainReason?) -> [Grant] {
    guard let row = table.row(of: id) else { return [] }
    table.setDrain(row, drain)
    return grantWaiting()
  }

  /// The system can run no scan of this run, as one of the run's scans has found. It gets no more of the run.
  package mutating func foundUnsuited(_ id: Incarnation, for run: RunID) -> [Grant] {
    guard let row = table.row(of: id) else { return [] }
    table.foundUnsuited(row, for: run)
    // A request that avoided another system in favour of this one may now have to take that one.
    return grantWaiting()
  }

  /// The run has ended.
  package mutating func ended(_ run: RunID) { table.forget(run) }

  /// Whether the system was found unsuited for the run.
  package func isUnsuited(_ id: Incarnation, for run: RunID) -> Bool {
    table.row(of: id).map { table.isUnsuited($0, for: run) } ?? false
  }

  package mutating func requested(_ request: SlotRequest) -> [Grant] {
    let new = WaitingRequest(request: request, kind: table.number(of: request.kind))
    let slots = slots(for: new)
    guard slots.isEmpty else { return [Grant(request: request.id, slots: slots)] }
    waiting[request.priority.rawValue].append(new)
    return []
  }

  package mutating func withdrew(_ request: SlotRequest.ID) {
    for priority in waiting.indices { waiting[priority].removeAll { $0.request.id == request } }
  }

  /// An attempt came back, or never began.
  ///
  /// - Throws: `IllegalEvent` if the slot is not committed.
  package mutating func released(
    _ slot: Slot, _ report: SlotReturn = .unused, at now: Instant
  ) throws(IllegalEvent) -> [Grant] {
    guard let key = committed.removeValue(forKey: slot.number) else { throw illegal(slot) }
    slotKeys.free(slot.number)
    log.add(slot.number, .released)
    guard let row = table.row(of: key) else { return [] }
    return grantWaiting(on: table.returnSlot(on: row, report, at: now) ? nil : row)
  }

  /// Time has passed: some circuit breakers may now be half open.
  package mutating func woke(at now: Instant) -> [Grant] {
    table.woke(at: now) ? grantWaiting() : []
  }

  /// When to call ``woke(at:)``; `nil` if no breaker is open.
  package var nextWake: Instant? { table.firstRetry }

  // MARK: Decisions

  /// Grants what can be granted, in the order of the requests.
  ///
  /// - Parameter row: the system that has freed room, where nothing else has changed.
  private mutating func grantWaiting(on row: Int? = nil) -> [Grant] {
    var grants: [Grant] = []
    for priority in waiting.indices.reversed() {
      var index = 0
      while index < waiting[priority].count,
        row.map({ table.room($0, .urgent) > 0 }) ?? table.hasRoom
      {
        let next = waiting[priority][index]
        let slots = if let row { slots(on: row, for: next) } else { slots(for: next) }
        if slots.isEmpty {
          index += 1
        } else {
          waiting[priority].remove(at: index)
          grants.append(Grant(request: next.request.id, slots: slots))
        }
      }
    }
    if let row { table.updateQueue(of: row) }
    return grants
  }

  private mutating func slots(for waiting: WaitingRequest) -> [Slot] {
    guard table.hasRoom else { return [] }
    let choice = table.choice(for: waiting.request, kind: waiting.kind)
    var slots: [Slot] = []
    while slots.count < waiting.request.count, let row = table.best(of: choice) {
      slots.append(commit(row, choice.isQuarantine))
      table.updateQueue(of: row)
    }
    return slots
  }

  private mutating func slots(on row: Int, for waiting: WaitingRequest) -> [Slot] {
    let request = waiting.request
    let room = min(table.room(row, for: request), request.count)
    guard room > 0, table.canTake(request, kind: waiting.kind, row) else { return [] }
    var slots: [Slot] = []
    slots.reserveCapacity(room)
    for _ in 0..<room { slots.append(commit(row, request.caution.isQuarantine)) }
    return slots
  }

  private mutating func commit(_ row: Int, _ isQuarantine: Bool) -> Slot {
    let number = slotKeys.makeKey()
    committed[number] = table.key(row)
    let slot = table.takeSlot(on: row, number, isQuarantine: isQuarantine)
    log.add(number, .granted)
    return slot
  }

  private func illegal(_ slot: Slot) -> IllegalEvent {
    IllegalEvent(
      event: "slot \(SlotMapKeys.ordinal(of: slot.number)) on \(slot.name) is released",
      state: "the slot is not granted, and \(committed.count) others are",
      story: log.story(of: slot.number) { "slot \(SlotMapKeys.ordinal(of: $0))" })
  }
}
