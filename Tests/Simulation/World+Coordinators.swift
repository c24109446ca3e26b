import SkyNetCore

extension World {
  mutating func handleCoordinator(_ event: Event) {
    switch event {
    case .granted(let number, let grant):
      use(grant, by: number)
    case .systemJoined(let number, let system, let place):
      let killed = coordinators[number].roster.killed(by: place)
      perform(
        coordinators[number].engagement.systemJoined(system, afterPlaceKilled: killed), by: number)
      for one in [system] + killed { coordinators[number].forgaveAll(one) }
      handleCoordinator(.systemsChanged(coordinator: number))
    case .systemsChanged(let number):
      let count = coordinators[number].systems
      perform(coordinators[number].engagement.systemsChanged(to: count, at: now), by: number)
    case .attemptEnded(let number, let id, let outcome):
      let closed = coordinators[number].closes(id)
      if let closed { coordinators[number].learns(closed, outcome) }
      var actions = coordinators[number].engagement.attemptEnded(id, outcome, at: now)
      if closed == nil {
        let open = Array(coordinators[number].open.values)
        actions += sabotage.actions(afterLate: outcome, open: open)
      }
      perform(actions, by: number, ending: closed)
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
    switch outcome {
    case .failed where outcome != .cancelled, .refused: report = .failed
    case .succeeded: if let timing { report = .succeeded(timing) }
    case .failed, .lost, .withdrawn: break
    }
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

  mutating func release(_ slot: Slot, _ report: SlotReturn = .unused, by number: Int) {
    coordinators[number].released(slot)
    releases += 1
    if sabotage.forgetsRelease(releases) { return }
    do throws(IllegalEvent) {
      pass(try coordinators[number].roster.released(slot, report, at: now), by: number)
    } catch {
      coordinators[number].findings.check(false, "\(error)")
    }
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
}
