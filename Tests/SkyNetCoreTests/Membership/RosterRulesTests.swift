import Testing

@testable import SkyNetCore

/// A roster and a plain roster, which get the same history of events, drawn from a seed.
private struct History {
  private static let kinds = (1...3).map { ScanKind(name: "survey", version: $0) }
  private static let runs = (1...3).map { RunID(number: $0) }

  var roster = Roster()
  var plain = PlainRoster()
  private var random: SplitMix64
  private let systems: [TestSystem]
  private var slots: [Slot] = []
  private var releasedSlots: [Slot] = []
  private var requests: UInt64 = 0
  private var now = 0.0
  /// How often an attempt fails, and how long scans take beside a handover of a second.
  private let (failing, scan): (Double, Double)
  private(set) var lastEvent = "nothing"

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    systems = (0..<random.pick([1, 2, 5, 20])).map { TestSystem("\($0)") }
    (failing, scan) = (random.pick([0.02, 0.3, 0.9]), random.pick([0.1, 1, 100]))
  }

  /// Feeds one event to both. Returns the grants of each.
  mutating func step() throws -> (roster: [PlainRoster.Grant], plain: [PlainRoster.Grant]) {
    now += Double.random(in: 0..<0.1, using: &random)
    let grants = try feedEvent()
    for grant in grants { slots += grant.slots }
    let granted = grants.map { grant in
      PlainRoster.Grant(request: grant.request, systems: grant.slots.map(\.system))
    }
    return (granted, plain.grant(numbering: grants))
  }

  private mutating func feedEvent() throws -> [Roster.Grant] {
    let system = random.pick(systems)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<4:
      let member = member(system)
      lastEvent = "joined \(member)"
      plain.joined(member, at: .at(now))
      return roster.joined(member, at: .at(now))
    case 4..<6:
      lastEvent = "left \(system.name)"
      plain.left(system.id, at: .at(now))
      return roster.left(system.id, at: .at(now))
    case 6:
      lastEvent = "draining \(system.name)"
      plain.draining(system.id)
      return roster.draining(system.id)
    case 7..<10:
      lastEvent = "withdrew"
      let request = UInt64.random(in: 0...requests, using: &random)
      plain.withdrew(request)
      roster.withdrew(request)
      return []
    case 10..<14:
      lastEvent = "woke"
      plain.woke(at: .at(now))
      return roster.woke(at: .at(now))
    case 14..<18:
      guard !releasedSlots.isEmpty else { return [] }
      let slot = random.pick(releasedSlots)
      lastEvent = "released again \(slot)"
      #expect(throws: IllegalEvent.self) { try roster.released(slot, .failed, at: .at(now)) }
      return []
    case 18..<21:
      let run = random.pick(Self.runs)
      lastEvent = "found unsuited \(system.name) for \(run)"
      plain.foundUnsuited(system.id, for: run)
      return roster.foundUnsuited(system.id, for: run)
    case 21:
      end(random.pick(Self.runs))
      return []
    case 22..<55:
      let request = request()
      lastEvent = "requested \(request)"
      plain.requested(request)
      return roster.requested(request)
    default: return try release()
    }
  }

  /// A run ends after it has withdrawn its requests.
  private mutating func end(_ run: RunID) {
    lastEvent = "ended \(run)"
    for request in plain.requests where request.run == run {
      plain.withdrew(request.id)
      roster.withdrew(request.id)
    }
    plain.ended(run)
    roster.ended(run)
  }

  /// There are few places, so that systems follow each other there.
  private mutating func place() -> Place? {
    random.chance(0.3) ? nil : Place(name: "\(random.pick([1, 2, 3]))", host: "10.0.0.1")
  }

  private mutating func member(_ system: TestSystem) -> Roster.Member {
    let kinds = Self.kinds.filter { _ in random.chance(0.7) }
    return system.member(
      slots: random.pick([0, 1, 1, 2, 3, 4, 8]), scans: kinds, isLocal: random.chance(0.1),
      place: place())
  }

  private mutating func request() -> SlotRequest {
    requests += 1
    let avoided = random.chance(0.5) ? 0 : random.pick([1, 2, 5, systems.count])
    return SlotRequest(
      id: requests, kind: random.pick(Self.kinds),
      run: random.chance(0.3) ? nil : random.pick(Self.runs), count: random.pick([1, 1, 3, 20]),
      avoiding: (0..<avoided).map { _ in random.pick(systems).id },
      priority: random.pick([.idle, .normal, .urgent]),
      caution: random.pick([.none, .none, .none, .sparesLocal, .quarantine, .remoteQuarantine]))
  }

  private mutating func release() throws -> [Roster.Grant] {
    guard !slots.isEmpty else { return [] }
    let slot = slots.remove(at: Int.random(in: slots.indices, using: &random))
    releasedSlots.append(slot)
    var report = SlotReturn.unused
    if random.chance(failing) {
      report = .failed
    } else if random.chance(0.1) {
      report = .full
    } else if random.chance(0.9) {
      let seconds = scan * Double.random(in: 0.5..<1.5, using: &random)
      report = .succeeded(
        AttemptTiming(
          scan: seconds, queued: 0, turnaround: seconds + 1, isShared: random.chance(0.1)))
    }
    lastEvent = "released \(slot) \(report)"
    plain.released(slot.number, report, at: .at(now))
    return try roster.released(slot, report, at: .at(now))
  }
}

@Suite("The roster's rules")
struct RosterRulesTests {
  @Test(
    "The roster grants the same slots as a plain roster without optimizations", arguments: 0..<4)
  func grantsAsRuled(part: UInt64) throws {
    for seed in 0..<10 as Range<UInt64> {
      var history = History(seed: seed * 4 + part)
      for step in 0..<400 {
        let granted = try history.step()
        let members = history.roster.members
        let isSame =
          granted.roster == granted.plain && history.roster.nextWake == history.plain.nextWake
          && members.map(\.id) == history.plain.systems.map(\.member.id)
          && members.map(\.inFlight) == history.plain.systems.map(\.slots.count)
          && members.map(\.isTripped) == history.plain.systems.map(\.breaker.isOpen)
        guard isSame else {
          Issue.record("seed \(seed * 4 + part), step \(step), \(history.lastEvent): \(granted)")
          return
        }
      }
    }
  }
}
