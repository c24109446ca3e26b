import DequeModule
import Foundation
import SkyNetCore

/// Simulates one engagement in virtual time.
///
/// Scans take 10 to 30 ms, and a round trip takes 40 ms, so the coordinator prefetches: each system
/// gets attempts for twice its slots. One scan in a hundred throws. One system in ten takes ten
/// times as long, so that at the end its waiting tasks are stolen and its running ones hedged.
/// Another system in ten now and then fails all scans for a while, so that its circuit breaker opens.
struct SimulatedEngagement {
  struct Failed: Error {
    let reason: String
  }

  private enum Event {
    case arrives(Attempt)
    case scanEnds(Attempt.ID)
    case answered(Attempt.ID)
    case startHeard(Attempt.ID)
    case engagementWakes
    case rosterWakes
  }

  private enum Stage {
    case onItsWay
    case queued(since: Instant)
    case runs(since: Instant, queued: Double)
    case ended(start: Instant, scan: Double, queued: Double, throwing: Bool)
  }

  private struct Flight {
    let attempt: Attempt
    let begin: Instant
    var stage = Stage.onItsWay
    var isWatched = false
  }

  private struct System {
    let slots: Int
    let slowness: Double
    /// Whether all scans throw for 16 of every 512.
    let failsInBursts: Bool
    var running = 0
    var ended = 0
    var queue = Deque<Attempt.ID>()
  }

  private enum Purpose {
    case fresh
    case retry(TaskID)
    case idle
  }

  /// The results of the simulation.
  struct Counts: CustomStringConvertible {
    let tasks: Int
    fileprivate(set) var accepted = 0
    fileprivate(set) var givenUp = 0
    fileprivate(set) var failures = 0
    fileprivate(set) var recalls = 0
    fileprivate(set) var hedges = 0
    fileprivate(set) var mostInFlight = 0

    var description: String {
      """
      \(tasks) tasks: \(accepted) accepted, \(givenUp) given up, \(failures) failures, \
      \(recalls) recalls, \(hedges) hedges, at most \(mostInFlight) in flight
      """
    }
  }

  private static let kind = ScanKind(name: "measured", version: 1)
  /// The median length of a scan in seconds, and the time that a message takes in one direction.
  private static let (scanSeconds, latency) = (0.02, Duration.milliseconds(20))

  private(set) var engagement = Timed { EngagementDecisions() }
  private(set) var roster = Timed { RosterDecisions() }
  private(set) var counts: Counts
  private var random = SplitMix64(seed: 1)
  private var now = Instant()
  private var events = EventQueue<Event>()
  private var systems: [Incarnation: System] = [:]
  private var flights: [Attempt.ID: Flight] = [:]
  private var granted = Deque<Roster.Grant>()
  private var purposes: [SlotRequest.ID: Purpose] = [:]
  private var idleRequest: SlotRequest.ID?
  private var nextRequest: SlotRequest.ID = 0
  private var rosterWake: Instant?
  private var isFinished = false

  init(systems count: Int, slots: Int, tasks: Int) {
    counts = Counts(tasks: tasks)
    for number in 0..<count {
      let name = "system-\(number)"
      let id = Incarnation(uuid: random.uuid())
      systems[id] = System(
        slots: slots, slowness: number % 10 == 3 ? 10 : 1, failsInBursts: number % 10 == 7)
      let member = Roster.Member(
        id: id, name: name, slots: slots, scans: [Self.kind], isLocal: false)
      tell(.joined(member))
    }
  }

  /// - Throws: ``Failed`` if the engagement did not end correctly, or the two runs of its decisions
  ///   differ.
  mutating func run() throws {
    decide(.began([TaskRange(sectors: 0..<counts.tasks)], systems: systems.count))
    while !isFinished {
      while let grant = granted.popFirst() { use(grant) }
      guard !isFinished, let next = events.next() else { break }
      now = next.time
      handle(next.event)
    }
    guard isFinished else { throw Failed(reason: "the engagement does not end") }
    guard counts.accepted + counts.givenUp == counts.tasks else {
      throw Failed(reason: "tasks are missing")
    }
    guard engagement.finish(), roster.finish() else {
      throw Failed(reason: "the same events had different answers")
    }
  }

  // MARK: Engagement

  private mutating func decide(_ kind: EngagementDecisions.Kind) {
    for action in engagement.handle(.init(kind: kind, time: now)) { perform(action) }
  }

  private mutating func perform(_ action: EngagementAction) {
    switch action {
    case .requestSlots(let count): request(.fresh, count)
    case .requestPart: preconditionFailure("the tasks are all there from the beginning")
    case .requestSlot(let task, let avoiding, _):
      // No system is lost here, so no request has a caution.
      request(.retry(task), avoiding: avoiding, .urgent)
    case .requestIdleSlot(let excluded):
      withdrawIdleRequest()
      idleRequest = request(.idle, avoiding: excluded, .idle)
    case .withdrawIdleSlot: withdrawIdleRequest()
    case .release(let slot): release(slot, .unused)
    case .begin(let attempt):
      flights[attempt.id] = Flight(attempt: attempt, begin: now)
      counts.mostInFlight = max(counts.mostInFlight, flights.count)
      if attempt.isHedge { counts.hedges += 1 }
      events.add(.arrives(attempt), at: now + Self.latency)
    case .reportStart(let attempt): reportStart(of: attempt.id)
    case .cancel(let attempt): cancel(attempt)
    case .ended(_, .withdrawn(let reason, _)):
      if reason == "called back" { counts.recalls += 1 }
    case .ended: counts.failures += 1
    case .accept:
      counts.accepted += 1
      decide(.received)
    case .giveUp, .abandon: counts.givenUp += 1
    case .wake(let instant): events.add(.engagementWakes, at: instant)
    case .finish, .noSystem: isFinished = true
    case .refuse(let illegal): preconditionFailure("\(illegal)")
    case .forgive, .rerun, .stalled, .waitForSystem: break
    }
  }

  private mutating func reportStart(of id: Attempt.ID) {
    flights[id]?.isWatched = true
    switch flights[id]?.stage {
    case .runs, .ended: events.add(.startHeard(id), at: now)
    case .onItsWay, .queued, nil: break
    }
  }

  private mutating func cancel(_ attempt: Attempt) {
    guard let flight = flights.removeValue(forKey: attempt.id) else { return }
    let system = attempt.slot.system
    if case .runs = flight.stage {
      systems[system]?.running -= 1
      startNext(on: system)
    }
    release(attempt.slot, .unused)
    decide(.ended(attempt.id, .cancelled))
  }

  // MARK: Slots

  @discardableResult private mutating func request(
    _ purpose: Purpose, _ count: Int = 1, avoiding: [Incarnation] = [],
    _ priority: SlotRequest.Priority = .normal
  ) -> SlotRequest.ID {
    nextRequest += 1
    purposes[nextRequest] = purpose
    tell(
      .requested(
        SlotRequest(
          id: nextRequest, kind: Self.kind, count: count, avoiding: avoiding, priority: priority)))
    return nextRequest
  }

  private mutating func withdrawIdleRequest() {
    guard let id = idleRequest else { return }
    idleRequest = nil
    tell(.withdrew(id))
  }

  private mutating func release(_ slot: Slot, _ report: SlotReturn) {
    tell(.released(slot, report, now))
  }

  private mutating func tell(_ event: RosterDecisions.Event) {
    let answer = roster.handle(event)
    for grant in answer.grants { granted.append(grant) }
    guard let wake = answer.nextWake, wake < rosterWake ?? wake + .seconds(1) else { return }
    rosterWake = wake
    events.add(.rosterWakes, at: max(wake, now))
  }

  private mutating func use(_ grant: Roster.Grant) {
    switch purposes.removeValue(forKey: grant.request) {
    case .fresh: decide(.slotsGranted(grant.slots))
    case .retry(let task): for slot in grant.slots { decide(.slotGranted(slot, task)) }
    case .idle where grant.request == idleRequest:
      idleRequest = nil
      for slot in grant.slots { decide(.idleSlotGranted(slot)) }
    // The request was withdrawn meanwhile.
    case .idle, nil: for slot in grant.slots { release(slot, .unused) }
    }
  }

  // MARK: Systems

  private mutating func handle(_ event: Event) {
    switch event {
    case .arrives(let attempt): arrives(attempt)
    case .scanEnds(let id): scanEnds(id)
    case .answered(let id): answered(id)
    case .startHeard(let id):
      switch flights[id]?.stage {
      case .runs(let start, _), .ended(let start, _, _, _): decide(.started(id, start))
      case .onItsWay, .queued, nil: break
      }
    case .engagementWakes: decide(.woke(systems: systems.count))
    case .rosterWakes:
      rosterWake = nil
      tell(.woke(now))
    }
  }

  private mutating func arrives(_ attempt: Attempt) {
    guard flights[attempt.id] != nil else { return }
    flights[attempt.id]?.stage = .queued(since: now)
    systems[attempt.slot.system]?.queue.append(attempt.id)
    startNext(on: attempt.slot.system)
  }

  private mutating func startNext(on id: Incarnation) {
    while let system = systems[id], system.running < system.slots,
      let next = systems[id]?.queue.popFirst()
    {
      // An attempt without an entry was cancelled.
      guard let flight = flights[next], case .queued(let since) = flight.stage else { continue }
      systems[id]?.running += 1
      flights[next]?.stage = .runs(since: now, queued: since.duration(to: now).inSeconds)
      let length = Double.random(in: 0.5..<1.5, using: &random) * Self.scanSeconds
      let seconds = length * system.slowness
      events.add(.scanEnds(next), at: now + .seconds(seconds))
      if flight.isWatched { events.add(.startHeard(next), at: now + Self.latency) }
    }
  }

  private mutating func scanEnds(_ id: Attempt.ID) {
    guard let flight = flights[id], case .runs(let start, let queued) = flight.stage,
      var system = systems[flight.attempt.slot.system]
    else { return }
    system.running -= 1
    system.ended += 1
    systems[flight.attempt.slot.system] = system
    let throwing = random.chance(0.01) || system.failsInBursts && system.ended / 16 % 32 == 1
    flights[id]?.stage = .ended(
      start: start, scan: start.duration(to: now).inSeconds, queued: queued, throwing: throwing)
    events.add(.answered(id), at: now + Self.latency)
    startNext(on: flight.attempt.slot.system)
  }

  private mutating func answered(_ id: Attempt.ID) {
    guard let flight = flights[id],
      case .ended(_, let scan, let queued, let throwing) = flight.stage
    else { return }
    flights[id] = nil
    guard !throwing else {
      release(flight.attempt.slot, .failed)
      return decide(.ended(id, .failed(reason: "no stars", seconds: scan)))
    }
    let turnaround = flight.begin.duration(to: now).inSeconds
    release(
      flight.attempt.slot,
      .succeeded(AttemptTiming(scan: scan, queued: queued, turnaround: turnaround)))
    decide(.ended(id, .succeeded(seconds: scan)))
  }
}

extension SplitMix64 {
  fileprivate mutating func uuid() -> UUID {
    let (a, b) = (next(), next())
    func byte(_ number: UInt64, _ place: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: number >> (place * 8))
    }
    return UUID(
      uuid: (
        byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6),
        byte(a, 7), byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5),
        byte(b, 6), byte(b, 7)
      ))
  }
}
