/// Who is connected, which slots are committed, and who waits for one.
///
/// The one owner of slots. A request waits until a system that suits it has room; a slot that
/// is granted counts against its system until it is released, once. Requests are served by their
/// priority and then in order, and nothing polls: each event returns the grants that it made
/// possible.
public struct Roster: Sendable {
  /// A system that can be given attempts.
  public struct Member: Hashable, Sendable {
    public let id: Incarnation
    /// What people call it.
    public let name: String
    public let slots: Int
    public let scans: Set<ScanKind>
    public let isLocal: Bool
    /// It finishes what it has, and is given nothing new.
    public fileprivate(set) var isDraining = false
    public fileprivate(set) var pace = Pace()
    fileprivate var trust = Trust()
    fileprivate var committed: Set<UInt64> = []

    public init(id: Incarnation, name: String, slots: Int, scans: [ScanKind], isLocal: Bool) {
      self.id = id
      self.name = name
      self.slots = slots
      self.scans = Set(scans)
      self.isLocal = isLocal
    }

    /// Attempts that were handed out and did not come back.
    public var inFlight: Int { committed.count }

    fileprivate var freeSlots: Int { slots - committed.count }

    fileprivate func isAble(_ kind: ScanKind) -> Bool {
      !isDraining && slots > 0 && scans.contains(kind)
    }

    /// Whether it failed whatever it was given, and is left alone for a while if there are others.
    public var isResting: Bool { trust.isResting }

    fileprivate func room(for priority: SlotRequest.Priority) -> Int {
      if trust.isOnTrial { return committed.isEmpty ? 1 : 0 }
      // A local system has no network to hide.
      guard !isLocal, priority > .idle else { return freeSlots }
      return freeSlots + pace.prefetch(slots: slots)
    }
  }

  public struct Grant: Hashable, Sendable {
    public let request: SlotRequest.ID
    public let slots: [Slot]
  }

  /// A rule to break, so that a simulation can show that it would notice.
  package var broken: BrokenRule?
  public private(set) var members: [Member] = []
  private var requests: [SlotRequest] = []
  private var nextSlot: UInt64 = 0

  public init() {}

  public func member(_ id: Incarnation) -> Member? { members.first { $0.id == id } }

  // MARK: Events

  /// A system connected. One that is here already changes nothing.
  public mutating func joined(_ member: Member) -> [Grant] {
    guard self.member(member.id) == nil else { return [] }
    members.append(member)
    return grantWaiting()
  }

  /// A system is gone, with all of its slots.
  public mutating func left(_ id: Incarnation) -> [Grant] {
    members.removeAll { $0.id == id }
    // A request that avoided others for its sake may now have to take one of them.
    return grantWaiting()
  }

  /// A system takes nothing new.
  public mutating func draining(_ id: Incarnation) -> [Grant] {
    update(id) { $0.isDraining = true }
    return grantWaiting()
  }

  /// Somebody wants slots.
  public mutating func requested(_ request: SlotRequest) -> [Grant] {
    let place = requests.firstIndex { $0.priority < request.priority } ?? requests.endIndex
    requests.insert(request, at: place)
    return grantWaiting()
  }

  /// Somebody no longer waits for slots.
  public mutating func withdrew(_ request: SlotRequest.ID) {
    requests.removeAll { $0.id == request }
  }

  /// An attempt came back, or was never begun. Releasing a slot again, or one whose system is
  /// gone, changes nothing.
  public mutating func released(
    _ slot: Slot, _ report: SlotReturn = .unused, at now: Instant
  ) -> [Grant] {
    if broken == .forgetsSlots, slot.number.isMultiple(of: 5) { return [] }
    update(slot.system) { member in
      guard member.committed.remove(slot.number) != nil else { return }
      switch report {
      case .unused: break
      case .failed: member.trust.failed(at: now)
      case .succeeded(let timing):
        member.trust.succeeded()
        member.pace.measured(timing)
      }
    }
    return grantWaiting()
  }

  /// Time has passed: some systems have rested.
  public mutating func woke(at now: Instant) -> [Grant] {
    for index in members.indices { members[index].trust.woke(at: now) }
    return grantWaiting()
  }

  /// When to tell of the time by ``woke(at:)``.
  public var nextWake: Instant? { members.compactMap(\.trust.restEnd).min() }

  // MARK: Decisions

  /// Grants what can be granted, in the order of the requests.
  private mutating func grantWaiting() -> [Grant] {
    guard !requests.isEmpty else { return [] }
    // Mostly the one that freed a slot; then those who wait are looked through no further.
    var open = members.indices.filter { members[$0].room(for: .urgent) > 0 }
    var grants: [Grant] = []
    var index = requests.startIndex
    while index < requests.endIndex, !open.isEmpty {
      let request = requests[index]
      var slots: [Slot] = []
      while slots.count < request.count, let chosen = bestMember(of: open, for: request) {
        slots.append(commit(chosen))
        if members[chosen].room(for: .urgent) <= 0 { open.removeAll { $0 == chosen } }
      }
      if slots.isEmpty {
        index += 1
      } else {
        requests.remove(at: index)
        grants.append(Grant(request: request.id, slots: slots))
      }
    }
    return grants
  }

  private mutating func commit(_ index: Int) -> Slot {
    nextSlot += 1
    members[index].committed.insert(nextSlot)
    return Slot(number: nextSlot, system: members[index].id, name: members[index].name)
  }

  /// The local system first; then the one with the largest share of its slots free; then the one
  /// with the most room beyond its slots.
  private func bestMember(of open: [Int], for request: SlotRequest) -> Int? {
    guard !open.isEmpty else { return nil }
    let isAllowed = filter(for: request)
    var best: Int?
    for index in open where members[index].room(for: request.priority) > 0 && isAllowed(index) {
      if members[index].isLocal { return index }
      if best.map({ hasMoreFree(index, than: $0) }) ?? true { best = index }
    }
    return best
  }

  private func hasMoreFree(_ a: Int, than b: Int) -> Bool {
    members[a].freeSlots * members[b].slots > members[b].freeSlots * members[a].slots
  }

  /// The systems that may take a request: those that do not rest, if there are any; and of these
  /// those it does not avoid, if there are any; else those but the last that it avoids; else all.
  private func filter(for request: SlotRequest) -> (Int) -> Bool {
    let knowsScan = { (index: Int) in members[index].isAble(request.kind) }
    let isAwake = { (index: Int) in knowsScan(index) && !members[index].isResting }
    let isAble = members.indices.contains(where: isAwake) ? isAwake : knowsScan
    guard let last = request.avoiding.last else { return isAble }
    let isUntried = { (index: Int) in
      isAble(index) && !request.avoiding.contains(members[index].id)
    }
    if request.priority == .idle || members.indices.contains(where: isUntried) {
      return isUntried
    }
    let isOther = { (index: Int) in isAble(index) && members[index].id != last }
    return members.indices.contains(where: isOther) ? isOther : isAble
  }

  private mutating func update(_ id: Incarnation, _ change: (inout Member) -> Void) {
    guard let index = members.firstIndex(where: { $0.id == id }) else { return }
    change(&members[index])
  }
}
