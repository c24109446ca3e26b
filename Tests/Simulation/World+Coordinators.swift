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
      perform(
        coordinators[number].engagement.attemptEnded(id, outcome, at: now), by: number,
        ending: closed)
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
      guard coordinators[number].flights[id] != nil else { return }
      coordinators[number].flights[id]?.hadStarted = true
      perform(coordinators[number].engagement.attemptStarted(id, at: now), by: number)
    case .answer(let id, let outcome, let timing):
      answered(id, outcome, timing, by: number)
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
    release(flight.attempt.slot, measured: timing, by: number)
    soon(.attemptEnded(coordinator: number, id, outcome))
  }

  /// Grants on their way to those who asked.
  mutating func pass(_ grants: [Roster.Grant], by number: Int) {
    coordinators[number].granted(grants)
    for grant in grants { soon(.granted(coordinator: number, grant)) }
  }

  private mutating func release(_ slot: Slot, measured: AttemptTiming? = nil, by number: Int) {
    coordinators[number].released(slot)
    pass(coordinators[number].roster.released(slot, measured: measured), by: number)
  }

  private mutating func use(_ grant: Roster.Grant, by number: Int) {
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
        request(count, for: nil, avoiding: [], by: number)
      case .requestSlot(let task, let avoiding):
        request(1, for: task, avoiding: avoiding, by: number)
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
        pending += coordinators[number].engagement.received(added)
      case .rerun: break
      case .giveUp(let task, let story): coordinators[number].gaveUp(task, story)
      case .wake(let instant): agenda.add(.wake(coordinator: number), at: instant)
      case .noSystem: coordinators[number].ends(.noSystem)
      case .finish: coordinators[number].ends(.finished)
      }
    }
  }

  private mutating func request(
    _ count: Int, for task: TaskID?, avoiding: [Incarnation], by number: Int
  ) {
    let request = coordinators[number].request(count, for: task, avoiding: avoiding)
    pass(coordinators[number].roster.requested(request), by: number)
  }

  private mutating func begin(_ attempt: Attempt, by number: Int) {
    coordinators[number].began(attempt)
    let link = coordinators[number].links[attempt.slot.system]
    coordinators[number].flights[attempt.id] = .init(attempt: attempt, link: link)
    if let link {
      send(.call(attempt), over: link)
    } else {
      answered(attempt.id, .lost(reason: "gone", hadStarted: false), nil, by: number)
    }
  }

  private mutating func cancel(_ attempt: Attempt, by number: Int) {
    // The engagement waits no longer, whatever the answer to this says.
    _ = coordinators[number].closes(attempt.id)
    if let link = coordinators[number].flights[attempt.id]?.link {
      send(.cancel(attempt.id), over: link)
    }
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
