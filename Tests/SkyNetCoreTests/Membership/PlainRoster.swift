@testable import SkyNetCore

/// A roster's rules in their plainest form, without any optimization: every event looks at all
/// systems for all requests.
struct PlainRoster {
  struct System {
    let member: Roster.Member
    var isDraining = false
    var prefetch = Prefetch()
    var breaker = CircuitBreaker()
    var shortage: Shortage?
    var slots: Set<UInt64> = []
    var life: Life
    var isQuarantined = false
    /// The runs that the system was found unsuited for.
    var unsuited: Set<RunID> = []

    var freeSlots: Int { member.slots - slots.count }

    func room(for request: SlotRequest) -> Int {
      let room = room(for: request.priority)
      guard request.caution >= .quarantine else { return room }
      return slots.isEmpty ? min(room, 1) : 0
    }

    private func room(for priority: SlotRequest.Priority) -> Int {
      if isQuarantined { return 0 }
      return min(usualRoom(for: priority), (shortage?.limit ?? .max) - slots.count)
    }

    private func usualRoom(for priority: SlotRequest.Priority) -> Int {
      if breaker.isHalfOpen { return slots.isEmpty ? 1 : 0 }
      if member.isLocal || priority == .idle { return freeSlots }
      return freeSlots + prefetch.depth(slots: member.slots)
    }

    mutating func changeShortage(_ change: (inout Shortage) -> Void) {
      guard var changed = shortage else { return }
      change(&changed)
      shortage = changed.limit < member.slots ? changed : nil
    }

    /// Whether a larger share of this system's slots is free.
    func isFreer(than other: System) -> Bool {
      freeSlots * other.member.slots > other.freeSlots * member.slots
    }
  }

  struct Grant: Equatable {
    let request: SlotRequest.ID
    /// The system of each slot.
    let systems: [Incarnation]
  }

  private(set) var systems: [System] = []
  private var places = Places()
  /// For each incarnation, the next one at its place.
  private var successors: [Incarnation: Incarnation] = [:]
  private(set) var requests: [SlotRequest] = []

  var nextWake: Instant? {
    (systems.compactMap(\.breaker.openUntil) + systems.compactMap(\.shortage?.end)).min()
  }

  mutating func joined(_ member: Roster.Member, at now: Instant) {
    guard !systems.contains(where: { $0.member.id == member.id }) else { return }
    var system = System(member: member, life: Life(id: member.id, start: now))
    if let place = member.place {
      system.life = places.joined(member.id, at: place, now)
      for former in places.former(at: place) { successors[former] = member.id }
    }
    if let end = system.life.pauseEnd, end > now { system.breaker = CircuitBreaker(openUntil: end) }
    systems.append(system)
  }

  mutating func left(_ id: Incarnation, at now: Instant) {
    guard let index = systems.firstIndex(where: { $0.member.id == id }) else { return }
    var system = systems.remove(at: index)
    successors = successors.filter { $0.value != id }
    guard let place = system.member.place, !system.isDraining else { return }
    system.life.end = now
    system.life.lost = system.slots.count
    places.left(system.life, at: place, now)
  }

  mutating func draining(_ id: Incarnation) {
    for index in systems.indices where systems[index].member.id == id {
      systems[index].isDraining = true
    }
  }

  mutating func foundUnsuited(_ id: Incarnation, for run: RunID) {
    for index in systems.indices where systems[index].member.id == id {
      systems[index].unsuited.insert(run)
    }
  }

  mutating func ended(_ run: RunID) {
    for index in systems.indices { systems[index].unsuited.remove(run) }
  }

  mutating func requested(_ request: SlotRequest) {
    let place = requests.firstIndex { $0.priority < request.priority } ?? requests.endIndex
    requests.insert(request, at: place)
  }

  mutating func withdrew(_ id: SlotRequest.ID) { requests.removeAll { $0.id == id } }

  mutating func released(_ number: UInt64, _ report: SlotReturn, at now: Instant) {
    guard let index = systems.firstIndex(where: { $0.slots.contains(number) }) else { return }
    systems[index].slots.remove(number)
    systems[index].isQuarantined = false
    switch report {
    case .unused: break
    case .failed: systems[index].breaker.failed(at: now)
    case .full:
      let system = systems[index]
      systems[index].shortage = system.shortage ?? Shortage(at: now)
      systems[index].changeShortage {
        $0.foundFull(beside: min(system.slots.count, system.member.slots - 1), at: now)
      }
    case .succeeded(let timing):
      systems[index].breaker.succeeded()
      systems[index].life.completed += 1
      systems[index].prefetch.measured(timing)
    }
  }

  mutating func woke(at now: Instant) {
    for index in systems.indices {
      systems[index].breaker.woke(at: now)
      systems[index].changeShortage { $0.woke(at: now) }
    }
  }

  /// Grants what can be granted. Slots get the numbers that the other roster gave them.
  mutating func grant(numbering numbers: [Roster.Grant]) -> [Grant] {
    var numbers = numbers.flatMap(\.slots).map(\.number)[...]
    var grants: [Grant] = []
    for request in requests {
      var chosen: [Incarnation] = []
      while chosen.count < request.count, let index = best(for: request) {
        chosen.append(systems[index].member.id)
        systems[index].slots.insert(numbers.popFirst() ?? .max)
        if request.caution >= .quarantine { systems[index].isQuarantined = true }
      }
      if !chosen.isEmpty { grants.append(Grant(request: request.id, systems: chosen)) }
    }
    requests.removeAll { request in grants.contains { $0.request == request.id } }
    return grants
  }

  private func best(for request: SlotRequest) -> Int? {
    let open = candidates(for: request).filter { systems[$0].room(for: request) > 0 }
    if let local = open.first(where: { systems[$0].member.isLocal }) { return local }
    return open.first { one in !open.contains { systems[$0].isFreer(than: systems[one]) } }
  }

  private func candidates(for request: SlotRequest) -> [Int] {
    let able = systems.indices.filter {
      let system = systems[$0]
      return !system.isDraining && system.member.slots > 0
        && system.member.scans.contains(request.kind)
        && !(request.run.map(system.unsuited.contains) ?? false)
    }
    let healthy = able.filter { !systems[$0].breaker.isOpen }
    var all = healthy.isEmpty ? able : healthy
    let hasRemote = able.contains { !systems[$0].member.isLocal }
    if request.caution == .remoteQuarantine || request.caution > .none && hasRemote {
      all.removeAll { systems[$0].member.isLocal }
    }
    let avoided = request.avoiding.map(presentSystem)
    let untried = all.filter { !avoided.contains(systems[$0].member.id) }
    if request.priority == .idle || !untried.isEmpty { return untried }
    let others = all.filter { systems[$0].member.id != avoided.last }
    return others.isEmpty ? all : others
  }

  /// This system if it is here, or else the one that followed it at its place.
  private func presentSystem(_ id: Incarnation) -> Incarnation {
    systems.contains { $0.member.id == id } ? id : successors[id] ?? id
  }
}
