/// The connected systems, in a slot map, and those of them that have room.
///
/// Each system has a row for as long as it is here, and a ``Key`` that no other system gets. Only the
/// coming and going of systems, and a change of a circuit breaker, cost more in a larger cluster.
struct MemberTable: Sendable {
  /// A row, and the number that tells apart the systems that were in it.
  struct Key: Sendable {
    fileprivate let row: Int32
    fileprivate let generation: UInt32
  }

  private struct Row {
    var member: Roster.Member
    /// The number of this joining, counted over all systems; 0 when the system is gone.
    var generation: UInt32
    /// The numbers of the requested kinds of scan that the system can run.
    var kinds: [Int]
    var life: Life
    /// The earlier incarnations at the system's place.
    let former: [Incarnation]
    /// The runs that the system has shown to be unsuited for. Mostly there are none.
    var unsuited: Set<RunID> = []

    /// Whether the system can run this kind of scan, for this run.
    func suits(_ kind: Int, _ run: RunID?) -> Bool {
      kinds.contains(kind) && (unsuited.isEmpty || run.map { !unsuited.contains($0) } ?? true)
    }
  }

  /// A kind of scan that was requested, and the systems that can run it.
  private struct Kind {
    let kind: ScanKind
    /// The number of systems that can be given anything at all, and the number of those whose
    /// circuit breaker is not open.
    var available = 0
    var healthy = 0
  }

  private var rows: [Row] = []
  private var rowsByID: [Incarnation: Int] = [:]
  /// For each earlier incarnation at a place, the row of the latest one there.
  private var successorRows: [Incarnation: Int] = [:]
  private(set) var places = Places()
  private var freeRows: [Int] = []
  /// The rows of the systems, in the order in which they joined.
  private var joinOrder: [Int] = []
  private var joinCount: UInt32 = 0
  /// The rows of local systems, of which there is normally at most one. They are in no queue.
  private var localRows: [Int] = []
  private var kinds: [Kind] = []
  private var queues = RoomQueues()
  private var trippedRows: [Int] = []
  /// The systems that had no room for an attempt lately, by row. Mostly there are none.
  private var shortages: [Int: Shortage] = [:]
  /// How many runs of all systems are in ``Row/unsuited``.
  private var unsuitedCount = 0
  /// When the first open circuit breaker becomes half open, or the first full system is given more.
  private(set) var firstRetry: Instant?

  subscript(row: Int) -> Roster.Member { rows[row].member }

  var members: [Roster.Member] { joinOrder.map { rows[$0].member } }

  func row(of id: Incarnation) -> Int? { rowsByID[id] }

  /// The row of a key, if its system is still here.
  func row(of key: Key) -> Int? {
    let row = Int(key.row)
    return rows[row].generation == key.generation ? row : nil
  }

  func key(_ row: Int) -> Key {
    Key(row: Int32(row), generation: rows[row].generation)
  }

  func room(_ row: Int, _ priority: SlotRequest.Priority) -> Int {
    rows[row].member.room(for: priority)
  }

  func room(_ row: Int, for request: SlotRequest) -> Int {
    let room = rows[row].member.room(for: request.priority)
    guard request.caution.isQuarantine else { return room }
    return rows[row].member.inFlight == 0 ? min(room, 1) : 0
  }

  // MARK: Coming and going

  /// Returns `false` if the system is here already.
  mutating func add(_ newcomer: Roster.Member, at now: Instant) -> Bool {
    guard rowsByID[newcomer.id] == nil else { return false }
    joinCount &+= 1
    var member = newcomer
    let life =
      member.place.map { places.joined(member.id, at: $0, now) } ?? Life(id: member.id, start: now)
    if let end = life.pauseEnd, end > now { member.breaker = CircuitBreaker(openUntil: end) }
    let new = Row(
      member: member, generation: joinCount,
      kinds: kinds.indices.filter { member.scans.contains(kinds[$0].kind) }, life: life,
      former: member.place.map { places.former(at: $0) } ?? [])
    let row = freeRows.popLast() ?? rows.count
    for id in new.former { successorRows[id] = row }
    if row == rows.count { rows.append(new) } else { rows[row] = new }
    rowsByID[member.id] = row
    joinOrder.append(row)
    if member.isLocal { localRows.append(row) }
    adjustCounts(row, by: 1)
    updateQueue(of: row)
    return true
  }

  mutating func remove(_ id: Incarnation, inOrder: Bool, at now: Instant) {
    guard let row = rowsByID.removeValue(forKey: id) else { return }
    adjustCounts(row, by: -1)
    endLife(at: row, inOrder: inOrder, now)
    rows[row].generation = 0
    if shortages.removeValue(forKey: row) != nil { updateFirstRetry() }
    unsuitedCount -= rows[row].unsuited.count
    rows[row].unsuited = []
    queues.remove(row)
    joinOrder.removeAll { $0 == row }
    localRows.removeAll { $0 == row }
    freeRows.append(row)
  }

  private mutating func endLife(at row: Int, inOrder: Bool, _ now: Instant) {
    for id in rows[row].former where successorRows[id] == row { successorRows[id] = nil }
    let member = rows[row].member
    // A system that was only asked to drain has not announced that it leaves.
    let hasLeft = member.drain == .leaving || member.isDraining && inOrder
    guard let place = member.place, !hasLeft else { return }
    rows[row].life.end = now
    rows[row].life.lost = rows[row].member.inFlight
    places.left(rows[row].life, at: place, now)
  }

  // MARK: Changes

  /// Commits a slot for an attempt.
  mutating func takeSlot(on row: Int, _ number: UInt64, isQuarantine: Bool) -> Slot {
    rows[row].member.inFlight += 1
    if isQuarantine { rows[row].member.isQuarantined = true }
    return Slot(number: number, system: rows[row].member.id, name: rows[row].member.name)
  }

  /// Frees the slot of an attempt that came back. Returns whether the system's circuit breaker
  /// opens or closes. If not, the caller updates the queue once it has tried to grant the slot again.
  mutating func returnSlot(on row: Int, _ report: SlotReturn, at now: Instant) -> Bool {
    rows[row].member.inFlight -= 1
    // A quarantined attempt had no other beside it, so the quarantine is over.
    rows[row].member.isQuarantined = false
    switch report {
    case .unused: return false
    case .failed:
      return changeBreaker(of: row) { $0.failed(at: now) }
    case .full:
      // Some of those in flight may wait there for a slot.
      let running = min(rows[row].member.inFlight, rows[row].member.slots - 1)
      changeShortage(of: row, at: now) { $0.foundFull(beside: running, at: now) }
      updateFirstRetry()
      return false
    case .succeeded(let timing):
      rows[row].member.prefetch.measured(timing)
      rows[row].life.completed += 1
      return changeBreaker(of: row) { $0.succeeded() }
    }
  }

  mutating func setDrain(_ row: Int, _ drain: DrainReason?) {
    adjustCounts(row, by: -1)
    rows[row].member.drain = drain
    adjustCounts(row, by: 1)
    updateQueue(of: row)
  }

  /// The system gets no more requests of this run.
  mutating func foundUnsuited(_ row: Int, for run: RunID) {
    if rows[row].unsuited.insert(run).inserted { unsuitedCount += 1 }
  }

  /// The run has ended, and nothing has to be remembered of it.
  mutating func forget(_ run: RunID) {
    guard unsuitedCount > 0 else { return }
    for row in joinOrder where rows[row].unsuited.remove(run) != nil { unsuitedCount -= 1 }
  }

  func isUnsuited(_ row: Int, for run: RunID?) -> Bool {
    run.map { rows[row].unsuited.contains($0) } ?? false
  }

  /// Returns whether a circuit breaker may be half open now, or a full system be given more.
  mutating func woke(at now: Instant) -> Bool {
    guard let firstRetry, firstRetry <= now else { return false }
    for row in trippedRows { _ = changeBreaker(of: row) { $0.woke(at: now) } }
    for row in shortages.keys {
      changeShortage(of: row, at: now) { $0.woke(at: now) }
      updateQueue(of: row)
    }
    updateFirstRetry()
    return true
  }

  /// A shortage is over when the system may be given as many attempts as it has slots.
  private mutating func changeShortage(
    of row: Int, at now: Instant, _ change: (inout Shortage) -> Void
  ) {
    var shortage = shortages[row] ?? Shortage(at: now)
    change(&shortage)
    let isOver = shortage.limit >= rows[row].member.slots
    shortages[row] = isOver ? nil : shortage
    rows[row].member.limit = isOver ? .max : shortage.limit
  }

  private mutating func updateFirstRetry() {
    firstRetry =
      (trippedRows.compactMap { rows[$0].member.breaker.openUntil } + shortages.values.map(\.end))
      .min()
  }

  private mutating func changeBreaker(of row: Int, _ change: (inout CircuitBreaker) -> Void) -> Bool
  {
    var breaker = rows[row].member.breaker
    let wasTripped = breaker.isOpen
    change(&breaker)
    guard breaker.isOpen != wasTripped else {
      rows[row].member.breaker = breaker
      return false
    }
    adjustCounts(row, by: -1)
    rows[row].member.breaker = breaker
    adjustCounts(row, by: 1)
    updateQueue(of: row)
    return true
  }

  private mutating func adjustCounts(_ row: Int, by number: Int) {
    for kind in rows[row].kinds { adjustCounts(of: kind, row, by: number) }
    guard rows[row].member.isTripped else { return }
    if number > 0 { trippedRows.append(row) } else { trippedRows.removeAll { $0 == row } }
    updateFirstRetry()
  }

  private mutating func adjustCounts(of kind: Int, _ row: Int, by number: Int) {
    guard rows[row].member.isAvailable else { return }
    kinds[kind].available += number
    if !rows[row].member.isTripped { kinds[kind].healthy += number }
  }

  /// Moves a system to the place in the queues that its room now calls for.
  mutating func updateQueue(of row: Int) {
    guard !rows[row].member.isLocal else { return }
    guard rows[row].member.isAvailable, room(row, .urgent) > 0 else { return queues.remove(row) }
    queues.put(
      RoomQueues.Entry(
        row: row, joined: rows[row].generation, slots: rows[row].member.slots,
        freeSlots: rows[row].member.freeSlots),
      isHealthy: !rows[row].member.isTripped)
  }

  // MARK: Choosing

  struct Choice {
    let priority: SlotRequest.Priority
    /// Whether the task is to have no neighbours.
    let isQuarantine: Bool
    fileprivate let kind: Int
    fileprivate let run: RunID?
    /// Whether systems with an open circuit breaker are excluded.
    fileprivate let isHealthy: Bool
    /// Whether local systems are excluded.
    fileprivate let isRemote: Bool
    /// The rows of the systems that are avoided.
    fileprivate var avoided: Set<Int> = []

    /// Whether this many attempts on a system leave the task as alone as it has to be.
    fileprivate func permits(beside inFlight: Int) -> Bool { !isQuarantine || inFlight == 0 }
  }

  mutating func number(of kind: ScanKind) -> Int {
    for number in kinds.indices where kinds[number].kind == kind { return number }
    let number = kinds.count
    kinds.append(Kind(kind: kind))
    for row in joinOrder where rows[row].member.scans.contains(kind) {
      rows[row].kinds.append(number)
      adjustCounts(of: number, row, by: 1)
    }
    return number
  }

  var hasRoom: Bool {
    if !queues.isEmpty { return true }
    for row in localRows where room(row, .urgent) > 0 { return true }
    return false
  }

  /// Chooses the systems that may take a request, by these rules in order:
  ///
  /// Systems with an open circuit breaker are excluded, if there are others. The local system is
  /// excluded, if it is to be spared and there are others. Of the rest, the systems that the
  /// request avoids are excluded, if there are others or the request is for an idle slot; else only
  /// the last one that it avoids, if there are others; else none.
  func choice(for request: SlotRequest, kind: Int) -> Choice {
    let count = counts(of: kind, for: request.run)
    let isRemote = sparesLocal(request, kind: kind)
    var choice = Choice(
      priority: request.priority, isQuarantine: request.caution.isQuarantine,
      kind: kind, run: request.run, isHealthy: count.healthy > 0, isRemote: isRemote)
    guard let last = request.avoiding.last else { return choice }
    var all = choice.isHealthy ? count.healthy : count.available
    if isRemote {
      all -= localCount(kind, request.run) { !(choice.isHealthy && $0.isTripped) }
    }
    let tried = Set(request.avoiding.compactMap { rowsByID[$0] ?? successorRows[$0] })
    let untried = all - tried.count { isAllowed($0, by: choice) }
    if request.priority == .idle || untried > 0 {
      choice.avoided = tried
    } else if let row = rowsByID[last] ?? successorRows[last],
      all > 1 || !isAllowed(row, by: choice)
    {
      choice.avoided = [row]
    }
    return choice
  }

  /// How many systems can be given anything of this kind, and how many of those are healthy, for a run.
  private func counts(of kind: Int, for run: RunID?) -> (available: Int, healthy: Int) {
    var (available, healthy) = (kinds[kind].available, kinds[kind].healthy)
    guard unsuitedCount > 0, let run else { return (available, healthy) }
    for row in joinOrder where rows[row].unsuited.contains(run) && rows[row].kinds.contains(kind) {
      guard rows[row].member.isAvailable else { continue }
      available -= 1
      if !rows[row].member.isTripped { healthy -= 1 }
    }
    return (available, healthy)
  }

  private func sparesLocal(_ request: SlotRequest, kind: Int) -> Bool {
    switch request.caution {
    case .none: false
    case .sparesLocal, .quarantine:
      counts(of: kind, for: request.run).available > localCount(kind, request.run) { _ in true }
    case .remoteQuarantine: true
    }
  }

  private func localCount(
    _ kind: Int, _ run: RunID?, where isCounted: (Roster.Member) -> Bool
  ) -> Int {
    localRows.count {
      rows[$0].member.isAvailable && rows[$0].suits(kind, run) && isCounted(rows[$0].member)
    }
  }

  /// The best system for a request: the local one; or else the one with the largest share of its
  /// slots free; or else the one with the most room beyond its slots.
  func best(of choice: Choice) -> Int? {
    for row in localRows where room(row, choice.priority) > 0 {
      if isAllowed(row, by: choice), choice.permits(beside: rows[row].member.inFlight) {
        return row
      }
    }
    if queues.isEmpty { return nil }
    return queues.first(
      isHealthy: choice.isHealthy, needsFreeSlot: choice.priority == .idle
    ) { [rows] row in
      // Captures the rows alone. Capturing `self` would copy all its content for each slot.
      rows[row].suits(choice.kind, choice.run) && !choice.avoided.contains(row)
        && choice.permits(beside: rows[row].member.inFlight)
    }
  }

  func canTake(_ request: SlotRequest, kind: Int, _ row: Int) -> Bool {
    guard rows[row].member.isAvailable, rows[row].suits(kind, request.run) else { return false }
    if rows[row].member.isTripped, counts(of: kind, for: request.run).healthy > 0 { return false }
    if rows[row].member.isLocal, sparesLocal(request, kind: kind) { return false }
    guard avoids(request, row) else { return true }
    guard request.priority > .idle else { return false }
    let choice = choice(for: request, kind: kind)
    return isAllowed(row, by: choice)
  }

  private func avoids(_ request: SlotRequest, _ row: Int) -> Bool {
    guard !request.avoiding.isEmpty else { return false }
    return request.avoiding.contains(rows[row].member.id)
      || rows[row].former.contains {
        request.avoiding.contains($0) && rowsByID[$0] == nil && successorRows[$0] == row
      }
  }

  private func isAllowed(_ row: Int, by choice: Choice) -> Bool {
    rows[row].member.isAvailable && !(choice.isHealthy && rows[row].member.isTripped)
      && !(choice.isRemote && rows[row].member.isLocal)
      && rows[row].suits(choice.kind, choice.run) && !choice.avoided.contains(row)
  }
}
