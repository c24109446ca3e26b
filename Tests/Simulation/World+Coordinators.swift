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
      for incarnation in [system] + killed { coordinators[number].forgaveAll(incarnation) }
      handleCoordinator(.systemsChanged(coordinator: number))
    case .systemsChanged(let number):
      let count = coordinators[number].systems
      perform(coordinators[number].engagement.systemsChanged(to: count, at: now), by: number)
    case .attemptEnded(let number, let id, let outcome):
      let closed = coordinators[number].close(id)
      if let closed { coordinators[number].learn(closed, outcome) }
      var actions = outcome == .unsuited ? foundUnsuited(by: number) : []
      actions += coordinators[number].engagement.attemptEnded(id, outcome, at: now)
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
      deliver(coordinators[number].roster.woke(at: now), by: number)
    case .wake(let number):
      let count = coordinators[number].systems
      perform(coordinators[number].engagement.woke(systems: count, at: now), by: number)
    case .grew(let number): grew(number)
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
      if flight.isWatched { scheduleSoon(.attemptStarted(coordinator: number, id, now)) }
    case .answer(let id, let outcome, let timing):
      guard coordinators[number].flights[id] == nil else {
        return answered(id, outcome, timing, by: number)
      }
      // This coordinator no longer waits for the call. The engagement has to handle the late answer
      // as well, which says nothing any more of the system.
      let late = outcome == .unsuited ? .handedBack : outcome
      scheduleSoon(.attemptEnded(coordinator: number, id, late))
    case .goodbye:
      // A connection that broke meanwhile is noticed in another way.
      guard links[link].isUp else { return }
      links[link].broken = now
      lost(link, byGoodbye: true)
    case .draining:
      deliver(coordinators[number].roster.draining(links[link].incarnation), by: number)
      scheduleSoon(.systemsChanged(coordinator: number))
    }
  }

  /// The engagement is told that a scan has found its system unsuited.
  private mutating func foundUnsuited(by number: Int) -> [EngagementAction] {
    let count = coordinators[number].systems
    return coordinators[number].engagement.systemUnsuited(leaving: count, at: now)
  }

  /// A call was answered, or never will be. Its slot is free, and the engagement is told.
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
    if outcome == .unsuited {
      // Before the slot is free, which another task would get.
      let system = flight.attempt.slot.system
      coordinators[number].knows(unsuited: system)
      let run = SimulatedCoordinator.run
      deliver(coordinators[number].roster.foundUnsuited(system, for: run), by: number)
    }
    release(flight.attempt.slot, report, by: number)
    scheduleSoon(.attemptEnded(coordinator: number, id, outcome))
  }

  /// Sends grants on their way to the requests.
  mutating func deliver(_ grants: [Roster.Grant], by number: Int) {
    coordinators[number].granted(grants)
    for grant in grants { scheduleSoon(.granted(coordinator: number, grant)) }
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
      deliver(try coordinators[number].roster.released(slot, report, at: now), by: number)
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
    if coordinators[number].withdrawnRequests.remove(grant.request) != nil {
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
