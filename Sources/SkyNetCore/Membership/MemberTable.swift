/// The systems that are here, in a slot map: each has a row that it keeps while it is here, and a ``Key`` that
/// no other system gets. And those of them that have room, by the scans that they can run.
///
/// What an event changes of one system is changed here in a time that hardly depends on how many systems
/// there are. Only a system's coming and going takes longer, and its circuit breaker's opening and closing.
struct MemberTable: Sendable {
  /// A row, and which system of those that were in it is meant: its generation.
  struct Key: Sendable {
    fileprivate let row: Int32
    fileprivate let joined: UInt32
  }

  private struct Row {
    var member: Roster.Member
    /// Which of all that ever joined it is.
    let joined: UInt32
    let group: Int
    var isTaken = true
    var life: Life
    /// The incarnations that were at its place before.
    let former: [Incarnation]
    /// The last search that marked it.
    var mark = 0
  }

  /// Systems that can run the same scans.
  private struct Group {
    let scans: Set<ScanKind>
    var members = 0
    /// How many can be given anything at all, and how many of them have no open circuit breaker.
    var able = 0
    var healthy = 0
  }

  private var rows: [Row] = []
  private var rowsByID: [Incarnation: Int] = [:]
  /// Where the place's latest incarnation sits, by those before it.
  private var successors: [Incarnation: Int] = [:]
  private var places = Places()
  private var free: [Int] = []
  /// In the order they joined.
  private var order: [Int] = []
  private var joinings: UInt32 = 0
  /// Of these there is one at the most, as a rule, and they are in no queue.
  private var locals: [Int] = []
  private var groups: [Group] = []
  /// The kinds that were asked for so far, and for each the groups that can run it.
  private var kinds: [(kind: ScanKind, groups: [Int])] = []
  /// For each group a queue of the healthy systems, and one of those whose circuit breaker is open.
  private var queues = RoomQueues()
  private var tripped: [Int] = []
  /// When the first open circuit breaker is to let an attempt through.
  private(set) var firstRetry: Instant?
  private var searches = 0

  subscript(row: Int) -> Roster.Member { rows[row].member }

  var members: [Roster.Member] { order.map { rows[$0].member } }

  func row(of id: Incarnation) -> Int? { rowsByID[id] }

  /// The key's row, if its system is still here.
  func row(of key: Key) -> Int? {
    let row = Int(key.row)
    return rows[row].isTaken && rows[row].joined == key.joined ? row : nil
  }

  func key(_ row: Int) -> Key {
    Key(row: Int32(row), joined: rows[row].joined)
  }

  func room(_ row: Int, _ priority: SlotRequest.Priority) -> Int {
    rows[row].member.room(for: priority)
  }

  func room(_ row: Int, for request: SlotRequest) -> Int {
    let room = rows[row].member.room(for: request.priority)
    guard request.caution.isQuarantine else { return room }
    return rows[row].member.inFlight == 0 ? min(room, 1) : 0
  }

  /// Incarnations whose deaths were their place's doing.
  func killed(by place: Place) -> [Incarnation] { places.killed(by: place) }

  /// When this system may be given something, if it is paused as its place's incarnations die young.
  func pauseEnd(of id: Incarnation) -> Instant? {
    rowsByID[id].flatMap { rows[$0].life.pauseEnd }
  }

  // MARK: Coming and going

  /// Returns whether it was not here.
  mutating func add(_ newcomer: Roster.Member, at now: Instant) -> Bool {
    guard rowsByID[newcomer.id] == nil else { return false }
    joinings &+= 1
    var member = newcomer
    let life =
      member.place.map { places.joined(member.id, at: $0, now) } ?? Life(id: member.id, start: now)
    if let end = life.pauseEnd, end > now { member.breaker = CircuitBreaker(openUntil: end) }
    let new = Row(
      member: member, joined: joinings, group: group(for: member.scans), life: life,
      former: member.place.map { places.former(at: $0) } ?? [])
    let row = free.popLast() ?? rows.count
    for id in new.former { successors[id] = row }
    if row == rows.count { rows.append(new) } else { rows[row] = new }
    rowsByID[member.id] = row
    order.append(row)
    if member.isLocal { locals.append(row) }
    groups[new.group].members += 1
    count(row, 1)
    settle(row)
    return true
  }

  mutating func remove(_ id: Incarnation, at now: Instant) {
    guard let row = rowsByID.removeValue(forKey: id) else { return }
    count(row, -1)
    endLife(at: row, now)
    groups[rows[row].group].members -= 1
    rows[row].isTaken = false
    queues.remove(row)
    order.removeAll { $0 == row }
    locals.removeAll { $0 == row }
    free.append(row)
  }

  private mutating func endLife(at row: Int, _ now: Instant) {
    for id in rows[row].former where successors[id] == row { successors[id] = nil }
    // A system that said that it leaves has not died.
    guard let place = rows[row].member.place, !rows[row].member.isDraining else { return }
    rows[row].life.end = now
    rows[row].life.lost = rows[row].member.inFlight
    places.left(rows[row].life, at: place, now)
  }

  private mutating func group(for scans: Set<ScanKind>) -> Int {
    if let same = groups.firstIndex(where: { $0.scans == scans }) { return same }
    let empty = groups.firstIndex { $0.members == 0 }
    let new = empty ?? groups.count
    if empty == nil {
      groups.append(Group(scans: scans))
    } else {
      groups[new] = Group(scans: scans)
    }
    for kind in kinds.indices {
      kinds[kind].groups.removeAll { $0 == new }
      if scans.contains(kinds[kind].kind) { kinds[kind].groups.append(new) }
    }
    return new
  }

  // MARK: Changes

  /// An attempt is handed out.
  mutating func took(_ row: Int, _ number: UInt64, isQuarantine: Bool) -> Slot {
    rows[row].member.inFlight += 1
    if isQuarantine { rows[row].member.isQuarantined = true }
    return Slot(number: number, system: rows[row].member.id, name: rows[row].member.name)
  }

  /// An attempt came back. Returns whether the system's circuit breaker opens or closes; if not, it is to be
  /// settled when its slot is granted again, or is not.
  mutating func released(_ row: Int, _ report: SlotReturn, at now: Instant) -> Bool {
    rows[row].member.inFlight -= 1
    // No other attempt was let in beside it.
    rows[row].member.isQuarantined = false
    switch report {
    case .unused: return false
    case .failed:
      return changeBreaker(of: row) { $0.failed(at: now) }
    case .succeeded(let timing):
      rows[row].member.prefetch.measured(timing)
      rows[row].life.completed += 1
      return changeBreaker(of: row) { $0.succeeded() }
    }
  }

  mutating func drains(_ row: Int, _ isDraining: Bool) {
    count(row, -1)
    rows[row].member.isDraining = isDraining
    count(row, 1)
    settle(row)
  }

  /// Returns whether a circuit breaker is half open now.
  mutating func woke(at now: Instant) -> Bool {
    guard let firstRetry, firstRetry <= now else { return false }
    for row in tripped { _ = changeBreaker(of: row) { $0.woke(at: now) } }
    return true
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
    count(row, -1)
    rows[row].member.breaker = breaker
    count(row, 1)
    settle(row)
    return true
  }

  private mutating func count(_ row: Int, _ number: Int) {
    let (group, isTripped) = (rows[row].group, rows[row].member.isTripped)
    if rows[row].member.isAble {
      groups[group].able += number
      if !isTripped { groups[group].healthy += number }
    }
    guard isTripped else { return }
    if number > 0 { tripped.append(row) } else { tripped.removeAll { $0 == row } }
    firstRetry = tripped.compactMap { rows[$0].member.breaker.openUntil }.min()
  }

  /// Puts a system to where it is found with the room that it has now.
  mutating func settle(_ row: Int) {
    guard !rows[row].member.isLocal else { return }
    guard rows[row].member.isAble, room(row, .urgent) > 0 else { return queues.remove(row) }
    queues.put(
      RoomQueues.Entry(
        row: row, joined: rows[row].joined, slots: rows[row].member.slots,
        freeSlots: rows[row].member.freeSlots),
      into: queue(of: rows[row].group, isHealthy: !rows[row].member.isTripped))
  }

  private func queue(of group: Int, isHealthy: Bool) -> Int { 2 * group + (isHealthy ? 0 : 1) }

  // MARK: Choosing

  /// The systems that may take a request.
  struct Choice {
    enum Avoided {
      case none
      /// Those with this mark.
      case marked(Int)
      case one(Int)
    }

    let priority: SlotRequest.Priority
    /// Whether it is to have no neighbours.
    let isQuarantine: Bool
    fileprivate let groups: [Int]
    /// Whether systems with an open circuit breaker are left alone.
    fileprivate let isHealthy: Bool
    /// Whether local ones are left alone.
    fileprivate let isRemote: Bool
    fileprivate var avoided = Avoided.none

    fileprivate func avoids(_ row: Int, mark: Int) -> Bool {
      switch avoided {
      case .none: false
      case .marked(let search): mark == search
      case .one(let avoided): row == avoided
      }
    }

    /// Whether a task that is to have no neighbours would have none.
    fileprivate func isAlone(beside inFlight: Int) -> Bool { !isQuarantine || inFlight == 0 }
  }

  /// What a kind is called here.
  mutating func number(of kind: ScanKind) -> Int {
    for number in kinds.indices where kinds[number].kind == kind { return number }
    kinds.append((kind, groups.indices.filter { groups[$0].scans.contains(kind) }))
    return kinds.count - 1
  }

  /// Whether any system at all may have room.
  var hasRoom: Bool {
    if !queues.isEmpty { return true }
    for row in locals where room(row, .urgent) > 0 { return true }
    return false
  }

  /// The systems that may take a request: those without an open circuit breaker, if there are any; not the local
  /// one, if it is to be spared and there are others; and of these those it does not avoid, if there
  /// are any; else those but the last that it avoids; else all.
  mutating func choice(for request: SlotRequest, kind: Int) -> Choice {
    let count = count(for: kind)
    let isRemote = sparesLocal(request, kind: kind)
    var choice = Choice(
      priority: request.priority, isQuarantine: request.caution.isQuarantine,
      groups: kinds[kind].groups, isHealthy: count.healthy > 0, isRemote: isRemote)
    guard let last = request.avoiding.last else { return choice }
    var all = choice.isHealthy ? count.healthy : count.able
    if isRemote {
      all -= localCount(kind) { !(choice.isHealthy && $0.isTripped) }
    }
    var untried = all
    searches += 1
    for id in request.avoiding {
      guard let row = rowsByID[id] ?? successors[id], rows[row].mark != searches else {
        continue
      }
      rows[row].mark = searches
      if isAllowed(row, by: choice) { untried -= 1 }
    }
    if request.priority == .idle || untried > 0 {
      choice.avoided = .marked(searches)
    } else if let row = rowsByID[last] ?? successors[last],
      all > 1 || !isAllowed(row, by: choice)
    {
      choice.avoided = .one(row)
    }
    return choice
  }

  /// Whether a request is not for local systems: those that are spared, while there are others.
  private func sparesLocal(_ request: SlotRequest, kind: Int) -> Bool {
    switch request.caution {
    case .none: false
    case .sparesLocal, .quarantine:
      count(for: kind).able > localCount(kind) { _ in true }
    case .remoteQuarantine: true
    }
  }

  private func localCount(_ kind: Int, where isCounted: (Roster.Member) -> Bool) -> Int {
    locals.count {
      rows[$0].member.isAble && isOfKind($0, kind) && isCounted(rows[$0].member)
    }
  }

  private func isOfKind(_ row: Int, _ kind: Int) -> Bool {
    kinds[kind].groups.contains(rows[row].group)
  }

  private func count(for kind: Int) -> (able: Int, healthy: Int) {
    var (able, healthy) = (0, 0)
    for group in kinds[kind].groups {
      able += groups[group].able
      healthy += groups[group].healthy
    }
    return (able, healthy)
  }

  /// The local system first; then the one with the largest share of its slots free; then the one
  /// with the most room beyond its slots.
  func best(of choice: Choice) -> Int? {
    for row in locals where room(row, choice.priority) > 0 {
      if isAllowed(row, by: choice), choice.isAlone(beside: rows[row].member.inFlight) {
        return row
      }
    }
    if queues.isEmpty { return nil }
    var best: RoomQueues.Entry?
    for group in choice.groups {
      let first = queues.first(
        of: queue(of: group, isHealthy: choice.isHealthy), isIdle: choice.priority == .idle
      ) { [rows] row in
        // Of the rows alone: for `self`, all that is here would be copied for each slot.
        !choice.avoids(row, mark: rows[row].mark)
          && choice.isAlone(beside: rows[row].member.inFlight)
      }
      if let first, best.map(first.isBefore) ?? true { best = first }
    }
    return best?.row
  }

  /// Whether this system may take a request.
  mutating func mayTake(_ request: SlotRequest, kind: Int, _ row: Int) -> Bool {
    guard rows[row].member.isAble, isOfKind(row, kind) else { return false }
    if rows[row].member.isTripped, count(for: kind).healthy > 0 { return false }
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
        request.avoiding.contains($0) && rowsByID[$0] == nil && successors[$0] == row
      }
  }

  private func isAllowed(_ row: Int, by choice: Choice) -> Bool {
    rows[row].member.isAble && !(choice.isHealthy && rows[row].member.isTripped)
      && !(choice.isRemote && rows[row].member.isLocal)
      && choice.groups.contains(rows[row].group)
      && !choice.avoids(row, mark: rows[row].mark)
  }
}
