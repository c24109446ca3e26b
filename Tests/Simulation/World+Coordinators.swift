import SkyNetCore

extension World {
  mutating func handleCoordinator(_ event: Event) {
    switch event {
    case .granted(let number, let grant):
      use(grant, by: number)
    case .systemsChanged(let number):
      let count = coordinators[number].systems
      perform(coordinators[number].engagement.systemsChanged(to: count, at: now), by: number)
    case .attemptEnded(let number, let id, let outcome):
      let closed = coordinators[number].closes(id)
      if let closed { coordinators[number].learns(closed, outcome) }
      perform(
        coordinators[number].engagement.attemptEnded(id, outcome, at: now), by: number,
        ending: closed)
    case .attemptStarted(let number, let id, let start):
      perform(
        coordinators[number].engagement.attemptStarted(id, start: start, at: now), by: number)
    case .rosterWake(let number):
      coordinators[number].rosterWake = nil
      pass(coordinators[number].roster.woke(at: now), by: number)
    case .wake(let number):
      perform(coordinators[number].engagement.woke(at: now), by: number)
    case .interrupt(let number):
      coordinators[number].interrupt()
      perform(coordinators[number].engagement.interrupted(), by: number)
    default: break
    }
  }

  mutating func receive(_ message: ToCoordinator, at number: Int, over link: Int) {
    switch message {
    case .started(let id):
      guard let flight = coordinators[number].flights[id], flight.start == nil else { return }
      coordinators[number].flights[id]?.start = now
      if flight.isWatched { soon(.attemptStarted(coordinator: number, id, now)) }
    case .answer(let id, let outcome, let timing):
      guard coordinators[number].flights[id] == nil else {
        return answered(id, outcome, timing, by: number)
      }
      // Nobody waits for it any more; the engagement has to see that as well.
      soon(.attemptEnded(coordinator: number, id, outcome))
    case .draining:
      pass(coordinators[number].roster.draining(links[link].incarnation), by: number)
      soon(.systemsChanged(coordinator: number))
    }
  }

  /// A call came back, or never will: its slot is free, and its engagement hears of it.
  mutating func answered(
    _ id: Attempt.ID, _ outcome: AttemptOutcome, _ timing: AttemptTiming?, by number: Int
  ) {
    guard let flight = coordinators[number].flights.removeValue(forKey: id) else { return }
    var report = SlotReturn.unused
    if case .failed = outcome { report = .failed }
    if case .succeeded = outcome, let timing { report = .succeeded(timing) }
    release(flight.attempt.slot, report, by: number)
    soon(.attemptEnded(coordinator: number, id, outcome))
  }

  /// Grants on their way to those who asked.
  mutating func pass(_ grants: [Roster.Grant], by number: Int) {
    coordinators[number].granted(grants)
    for grant in grants { soon(.granted(coordinator: number, grant)) }
    guard let wake = coordinators[number].roster.nextWake,
      wake < coordinators[number].rosterWake ?? wake + .seconds(1)
    else { return }
    coordinators[number].rosterWake = wake
    agenda.add(.rosterWake(coordinator: number), at: max(wake, now))
  }

  private mutating func release(_ slot: Slot, _ report: SlotReturn = .unused, by number: Int) {
    coordinators[number].released(slot)
    pass(coordinators[number].roster.released(slot, report, at: now), by: number)
  }

  private mutating func use(_ grant: Roster.Grant, by number: Int) {
    if grant.request == coordinators[number].idleRequest {
      coordinators[number].idleRequest = nil
      for slot in grant.slots {
        let actions = coordinators[number].engagement.idleSlotGranted(slot, at: now)
        perform(actions, by: number)
      }
      return
    }
    if coordinators[number].staleWishes.remove(grant.request) != nil {
      return perform(grant.slots.map { .release($0) }, by: number)
    }
    let task = coordinators[number].retries.removeValue(forKey: grant.request)
    guard let task else {
      let actions = coordinators[number].engagement.slotsGranted(grant.slots, at: now)
      return perform(actions, by: number)
    }
    for slot in grant.slots {
      let actions = coordinators[number].engagement.slotGranted(slot, for: task, at: now)
      perform(actions, by: number)
    }
  }

  mutating func perform(
    _ actions: [EngagementAction], by number: Int, ending closed: Attempt? = nil
  ) {
    var pending = actions[...]
    while let action = pending.popFirst() {
      switch action {
      case .requestSlots(let count):
        request(coordinators[number].request(count, .normal), by: number)
      case .requestSlot(let task, let avoiding):
        request(
          coordinators[number].request(1, for: task, avoiding: avoiding, .urgent), by: number)
      case .requestIdleSlot(let excluded):
        withdrawIdleSlot(by: number)
        request(coordinators[number].request(1, avoiding: excluded, .idle), by: number)
      case .withdrawIdleSlot: withdrawIdleSlot(by: number)
      case .reportStart(let attempt): reportStart(of: attempt, by: number)
      case .ended(let attempt, let ending, _):
        coordinators[number].journal?.ended(attempt, ending, at: now)
      case .release(let slot):
        coordinators[number].gaveBack(slot)
        release(slot, by: number)
      case .begin(let attempt):
        begin(attempt, by: number)
      case .cancel(let attempt):
        cancel(attempt, by: number)
      case .accept(let attempt, _, _):
        coordinators[number].accepted(attempt, ending: closed)
        let added = tasks(after: attempt.task)
        coordinators[number].added(added)
        coordinators[number].journal?.accepted(attempt.task, added: added, at: now)
        pending += coordinators[number].engagement.received(added, at: now)
      case .rerun: break
      case .giveUp(let task, let story):
        coordinators[number].gaveUp(task, story)
        coordinators[number].journal?.gaveUp(task, at: now)
      case .abandon(let task, let story): coordinators[number].leaves(task, story)
      case .wake(let instant): agenda.add(.wake(coordinator: number), at: instant)
      case .noSystem: coordinators[number].ends(.noSystem, at: now)
      case .finish: coordinators[number].ends(.finished, at: now)
      }
    }
  }

  private mutating func request(_ request: SlotRequest, by number: Int) {
    pass(coordinators[number].roster.requested(request), by: number)
  }

  private mutating func withdrawIdleSlot(by number: Int) {
    guard let request = coordinators[number].idleRequest else { return }
    coordinators[number].idleRequest = nil
    coordinators[number].roster.withdrew(request)
    // A grant may be on its way.
    coordinators[number].staleWishes.insert(request)
  }

  private mutating func reportStart(of attempt: Attempt, by number: Int) {
    coordinators[number].flights[attempt.id]?.isWatched = true
    guard let start = coordinators[number].flights[attempt.id]?.start else { return }
    soon(.attemptStarted(coordinator: number, attempt.id, start))
  }

  private mutating func begin(_ attempt: Attempt, by number: Int) {
    coordinators[number].began(attempt)
    let link = coordinators[number].links[attempt.slot.system]
    coordinators[number].flights[attempt.id] = .init(
      attempt: attempt, link: link, sent: now)
    let isLocal = link.map { nodes[links[$0].node].isLocal } ?? false
    coordinators[number].journal?.began(attempt, isLocal: isLocal, at: now)
    if let link {
      send(.call(attempt), over: link)
    } else {
      answered(attempt.id, .lost(reason: "gone", hadStarted: false), nil, by: number)
    }
  }

  private mutating func cancel(_ attempt: Attempt, by number: Int) {
    // The engagement waits no longer, whatever the answer to this says.
    _ = coordinators[number].closes(attempt.id)
    guard let flight = coordinators[number].flights[attempt.id] else { return }
    if let link = flight.link { send(.cancel(attempt.id), over: link) }
    // An answer may have been on its way already.
    let outcome: AttemptOutcome = random.chance(0.3) ? .succeeded(seconds: 1) : .cancelled
    answered(attempt.id, outcome, nil, by: number)
  }

  /// A later pass over a sector follows from the one before.
  private func tasks(after task: TaskID) -> [TaskRange] {
    guard task.pass + 1 < plan.passes else { return [] }
    return [TaskRange(pass: task.pass + 1, sectors: task.sector..<task.sector + 1)]
  }
}
