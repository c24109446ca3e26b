@testable import SkyNetCore

/// The rules of a roster as they are told, and nothing done to be quick: every event looks at all
/// systems for all requests.
struct PlainRoster {
  struct System {
    let member: Roster.Member
    var isDraining = false
    var pace = Pace()
    var trust = Trust()
    var slots: Set<UInt64> = []

    var freeSlots: Int { member.slots - slots.count }

    func room(for priority: SlotRequest.Priority) -> Int {
      if trust.isOnTrial { return slots.isEmpty ? 1 : 0 }
      if member.isLocal || priority == .idle { return freeSlots }
      return freeSlots + pace.prefetch(slots: member.slots)
    }

    /// Whether a larger share of its slots is free.
    func isFreer(than other: System) -> Bool {
      freeSlots * other.member.slots > other.freeSlots * member.slots
    }
  }

  struct Grant: Equatable {
    let request: SlotRequest.ID
    /// Of each slot, where it is.
    let systems: [Incarnation]
  }

  private(set) var systems: [System] = []
  private(set) var requests: [SlotRequest] = []

  var nextWake: Instant? { systems.compactMap(\.trust.restEnd).min() }

  mutating func joined(_ member: Roster.Member) {
    if !systems.contains(where: { $0.member.id == member.id }) {
      systems.append(System(member: member))
    }
  }

  mutating func left(_ id: Incarnation) { systems.removeAll { $0.member.id == id } }

  mutating func draining(_ id: Incarnation) {
    for index in systems.indices where systems[index].member.id == id {
      systems[index].isDraining = true
    }
  }

  mutating func requested(_ request: SlotRequest) {
    let place = requests.firstIndex { $0.priority < request.priority } ?? requests.endIndex
    requests.insert(request, at: place)
  }

  mutating func withdrew(_ id: SlotRequest.ID) { requests.removeAll { $0.id == id } }

  mutating func released(_ number: UInt64, _ report: SlotReturn, at now: Instant) {
    guard let index = systems.firstIndex(where: { $0.slots.contains(number) }) else { return }
    systems[index].slots.remove(number)
    switch report {
    case .unused: break
    case .failed: systems[index].trust.failed(at: now)
    case .succeeded(let timing):
      systems[index].trust.succeeded()
      systems[index].pace.measured(timing)
    }
  }

  mutating func woke(at now: Instant) {
    for index in systems.indices { systems[index].trust.woke(at: now) }
  }

  /// Grants what can be granted. Slots are numbered as the other roster numbered them.
  mutating func grant(numbering numbers: [Roster.Grant]) -> [Grant] {
    var numbers = numbers.flatMap(\.slots).map(\.number)[...]
    var grants: [Grant] = []
    for request in requests {
      var chosen: [Incarnation] = []
      while chosen.count < request.count, let index = best(for: request) {
        chosen.append(systems[index].member.id)
        systems[index].slots.insert(numbers.popFirst() ?? .max)
      }
      if !chosen.isEmpty { grants.append(Grant(request: request.id, systems: chosen)) }
    }
    requests.removeAll { request in grants.contains { $0.request == request.id } }
    return grants
  }

  private func best(for request: SlotRequest) -> Int? {
    let open = candidates(for: request).filter { systems[$0].room(for: request.priority) > 0 }
    if let local = open.first(where: { systems[$0].member.isLocal }) { return local }
    return open.first { one in !open.contains { systems[$0].isFreer(than: systems[one]) } }
  }

  private func candidates(for request: SlotRequest) -> [Int] {
    let able = systems.indices.filter {
      let system = systems[$0]
      return !system.isDraining && system.member.slots > 0
        && system.member.scans.contains(request.kind)
    }
    let awake = able.filter { !systems[$0].trust.isResting }
    let all = awake.isEmpty ? able : awake
    let untried = all.filter { !request.avoiding.contains(systems[$0].member.id) }
    if request.priority == .idle || !untried.isEmpty { return untried }
    let others = all.filter { systems[$0].member.id != request.avoiding.last }
    return others.isEmpty ? all : others
  }
}
