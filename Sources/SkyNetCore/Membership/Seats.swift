/// The systems that are here, each at a seat that it keeps while it is; and those of them that have
/// room, by the scans that they can run.
///
/// What an event changes of one system is changed here in a time that hardly depends on how many
/// there are, but for its coming and going, and for the beginning and the end of its rest.
struct Seats: Sendable {
  /// One system's time at a seat, which may be another's afterwards.
  struct Sitting: Sendable {
    fileprivate let seat: Int32
    fileprivate let joined: UInt32
  }

  private struct Seat {
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
    /// How many can be given anything at all, and how many of them do not rest.
    var able = 0
    var awake = 0
  }

  private var seats: [Seat] = []
  private var seatsByID: [Incarnation: Int] = [:]
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
  /// For each group a queue of those that are awake, and one of those that rest.
  private var queues = RoomQueues()
  private var resting: [Int] = []
  /// When the first of those that rest has rested.
  private(set) var restEnd: Instant?
  private var searches = 0

  subscript(seat: Int) -> Roster.Member { seats[seat].member }

  var members: [Roster.Member] { order.map { seats[$0].member } }

  func seat(of id: Incarnation) -> Int? { seatsByID[id] }

  /// The seat, if the system that had it then is still here.
  func seat(of sitting: Sitting) -> Int? {
    let seat = Int(sitting.seat)
    return seats[seat].isTaken && seats[seat].joined == sitting.joined ? seat : nil
  }

  func sitting(_ seat: Int) -> Sitting {
    Sitting(seat: Int32(seat), joined: seats[seat].joined)
  }

  func room(_ seat: Int, _ priority: SlotRequest.Priority) -> Int {
    seats[seat].member.room(for: priority)
  }

  func room(_ seat: Int, for request: SlotRequest) -> Int {
    let room = seats[seat].member.room(for: request.priority)
    guard request.caution.isQuarantine else { return room }
    return seats[seat].member.inFlight == 0 ? min(room, 1) : 0
  }

  /// Incarnations whose deaths were their place's doing.
  func killed(by place: Place) -> [Incarnation] { places.killed(by: place) }

  /// When this system may be given something, if it is paused as its place's incarnations die young.
  func pauseEnd(of id: Incarnation) -> Instant? {
    seatsByID[id].flatMap { seats[$0].life.pauseEnd }
  }

  // MARK: Coming and going

  /// Returns whether it was not here.
  mutating func add(_ newcomer: Roster.Member, at now: Instant) -> Bool {
    guard seatsByID[newcomer.id] == nil else { return false }
    joinings &+= 1
    var member = newcomer
    let life =
      member.place.map { places.joined(member.id, at: $0, now) } ?? Life(id: member.id, start: now)
    if let end = life.pauseEnd, end > now { member.trust = Trust(restingUntil: end) }
    let new = Seat(
      member: member, joined: joinings, group: group(for: member.scans), life: life,
      former: member.place.map { places.former(at: $0) } ?? [])
    let seat = free.popLast() ?? seats.count
    for id in new.former { successors[id] = seat }
    if seat == seats.count { seats.append(new) } else { seats[seat] = new }
    seatsByID[member.id] = seat
    order.append(seat)
    if member.isLocal { locals.append(seat) }
    groups[new.group].members += 1
    count(seat, 1)
    settle(seat)
    return true
  }

  mutating func remove(_ id: Incarnation, at now: Instant) {
    guard let seat = seatsByID.removeValue(forKey: id) else { return }
    count(seat, -1)
    endLife(at: seat, now)
    groups[seats[seat].group].members -= 1
    seats[seat].isTaken = false
    queues.remove(seat)
    order.removeAll { $0 == seat }
    locals.removeAll { $0 == seat }
    free.append(seat)
  }

  private mutating func endLife(at seat: Int, _ now: Instant) {
    for id in seats[seat].former where successors[id] == seat { successors[id] = nil }
    // Who said that it leaves has not died.
    guard let place = seats[seat].member.place, !seats[seat].member.isDraining else { return }
    seats[seat].life.end = now
    seats[seat].life.lost = seats[seat].member.inFlight
    places.left(seats[seat].life, at: place, now)
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
  mutating func took(_ seat: Int, _ number: UInt64, isQuarantine: Bool) -> Slot {
    seats[seat].member.inFlight += 1
    if isQuarantine { seats[seat].member.isQuarantined = true }
    return Slot(number: number, system: seats[seat].member.id, name: seats[seat].member.name)
  }

  /// An attempt came back. Returns whether the system begins or ends a rest; if not, it is to be
  /// settled when its slot is granted again, or is not.
  mutating func released(_ seat: Int, _ report: SlotReturn, at now: Instant) -> Bool {
    seats[seat].member.inFlight -= 1
    // Nobody was let in beside it.
    seats[seat].member.isQuarantined = false
    switch report {
    case .unused: return false
    case .failed:
      return changeTrust(of: seat) { $0.failed(at: now) }
    case .succeeded(let timing):
      seats[seat].member.pace.measured(timing)
      seats[seat].life.completed += 1
      return changeTrust(of: seat) { $0.succeeded() }
    }
  }

  mutating func drains(_ seat: Int, _ isDraining: Bool) {
    count(seat, -1)
    seats[seat].member.isDraining = isDraining
    count(seat, 1)
    settle(seat)
  }

  /// Returns whether a system has rested.
  mutating func woke(at now: Instant) -> Bool {
    guard let restEnd, restEnd <= now else { return false }
    for seat in resting { _ = changeTrust(of: seat) { $0.woke(at: now) } }
    return true
  }

  private mutating func changeTrust(of seat: Int, _ change: (inout Trust) -> Void) -> Bool {
    var trust = seats[seat].member.trust
    let wasResting = trust.isResting
    change(&trust)
    guard trust.isResting != wasResting else {
      seats[seat].member.trust = trust
      return false
    }
    count(seat, -1)
    seats[seat].member.trust = trust
    count(seat, 1)
    settle(seat)
    return true
  }

  private mutating func count(_ seat: Int, _ number: Int) {
    let (group, isResting) = (seats[seat].group, seats[seat].member.isResting)
    if seats[seat].member.isAble {
      groups[group].able += number
      if !isResting { groups[group].awake += number }
    }
    guard isResting else { return }
    if number > 0 { resting.append(seat) } else { resting.removeAll { $0 == seat } }
    restEnd = resting.compactMap { seats[$0].member.trust.restEnd }.min()
  }

  /// Puts a system to where it is found with the room that it has now.
  mutating func settle(_ seat: Int) {
    guard !seats[seat].member.isLocal else { return }
    guard seats[seat].member.isAble, room(seat, .urgent) > 0 else { return queues.remove(seat) }
    queues.put(
      RoomQueues.Entry(
        seat: seat, joined: seats[seat].joined, slots: seats[seat].member.slots,
        freeSlots: seats[seat].member.freeSlots),
      into: queue(of: seats[seat].group, isAwake: !seats[seat].member.isResting))
  }

  private func queue(of group: Int, isAwake: Bool) -> Int { 2 * group + (isAwake ? 0 : 1) }

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
    /// Whether those that rest are left alone.
    fileprivate let isAwake: Bool
    /// Whether local ones are left alone.
    fileprivate let isRemote: Bool
    fileprivate var avoided = Avoided.none

    fileprivate func avoids(_ seat: Int, mark: Int) -> Bool {
      switch avoided {
      case .none: false
      case .marked(let search): mark == search
      case .one(let avoided): seat == avoided
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
    for seat in locals where room(seat, .urgent) > 0 { return true }
    return false
  }

  /// The systems that may take a request: those that do not rest, if there are any; not the local
  /// one, if it is to be spared and there are others; and of these those it does not avoid, if there
  /// are any; else those but the last that it avoids; else all.
  mutating func choice(for request: SlotRequest, kind: Int) -> Choice {
    let count = count(for: kind)
    let isRemote = sparesLocal(request, kind: kind)
    var choice = Choice(
      priority: request.priority, isQuarantine: request.caution.isQuarantine,
      groups: kinds[kind].groups, isAwake: count.awake > 0, isRemote: isRemote)
    guard let last = request.avoiding.last else { return choice }
    var all = choice.isAwake ? count.awake : count.able
    if isRemote {
      all -= localCount(kind) { !(choice.isAwake && $0.isResting) }
    }
    var untried = all
    searches += 1
    for id in request.avoiding {
      guard let seat = seatsByID[id] ?? successors[id], seats[seat].mark != searches else {
        continue
      }
      seats[seat].mark = searches
      if isAllowed(seat, by: choice) { untried -= 1 }
    }
    if request.priority == .idle || untried > 0 {
      choice.avoided = .marked(searches)
    } else if let seat = seatsByID[last] ?? successors[last],
      all > 1 || !isAllowed(seat, by: choice)
    {
      choice.avoided = .one(seat)
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
      seats[$0].member.isAble && isOfKind($0, kind) && isCounted(seats[$0].member)
    }
  }

  private func isOfKind(_ seat: Int, _ kind: Int) -> Bool {
    kinds[kind].groups.contains(seats[seat].group)
  }

  private func count(for kind: Int) -> (able: Int, awake: Int) {
    var (able, awake) = (0, 0)
    for group in kinds[kind].groups {
      able += groups[group].able
      awake += groups[group].awake
    }
    return (able, awake)
  }

  /// The local system first; then the one with the largest share of its slots free; then the one
  /// with the most room beyond its slots.
  func best(of choice: Choice) -> Int? {
    for seat in locals where room(seat, choice.priority) > 0 {
      if isAllowed(seat, by: choice), choice.isAlone(beside: seats[seat].member.inFlight) {
        return seat
      }
    }
    if queues.isEmpty { return nil }
    var best: RoomQueues.Entry?
    for group in choice.groups {
      let first = queues.first(
        of: queue(of: group, isAwake: choice.isAwake), isIdle: choice.priority == .idle
      ) { [seats] seat in
        // Of the seats alone: for `self`, all that is here would be copied for each slot.
        !choice.avoids(seat, mark: seats[seat].mark)
          && choice.isAlone(beside: seats[seat].member.inFlight)
      }
      if let first, best.map(first.isBefore) ?? true { best = first }
    }
    return best?.seat
  }

  /// Whether this system may take a request.
  mutating func mayTake(_ request: SlotRequest, kind: Int, _ seat: Int) -> Bool {
    guard seats[seat].member.isAble, isOfKind(seat, kind) else { return false }
    if seats[seat].member.isResting, count(for: kind).awake > 0 { return false }
    if seats[seat].member.isLocal, sparesLocal(request, kind: kind) { return false }
    guard avoids(request, seat) else { return true }
    guard request.priority > .idle else { return false }
    let choice = choice(for: request, kind: kind)
    return isAllowed(seat, by: choice)
  }

  private func avoids(_ request: SlotRequest, _ seat: Int) -> Bool {
    guard !request.avoiding.isEmpty else { return false }
    return request.avoiding.contains(seats[seat].member.id)
      || seats[seat].former.contains {
        request.avoiding.contains($0) && seatsByID[$0] == nil && successors[$0] == seat
      }
  }

  private func isAllowed(_ seat: Int, by choice: Choice) -> Bool {
    seats[seat].member.isAble && !(choice.isAwake && seats[seat].member.isResting)
      && !(choice.isRemote && seats[seat].member.isLocal)
      && choice.groups.contains(seats[seat].group)
      && !choice.avoids(seat, mark: seats[seat].mark)
  }
}
