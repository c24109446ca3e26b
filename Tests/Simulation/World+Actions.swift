import SkyNetCore

/// Performs the actions of engagements.
extension World {
  mutating func perform(
    _ actions: [EngagementAction], by number: Int, ending closed: Attempt? = nil
  ) {
    var pending = sabotage.altered(actions)[...]
    while let action = pending.popFirst() {
      switch action {
      case .requestSlots(let count):
        request(coordinators[number].request(count, .normal), by: number)
      case .requestPart: requestPart(by: number)
      case .requestSlot(let task, let avoiding, let caution):
        withdrawRequests(for: task, by: number)
        request(
          coordinators[number].request(
            1, for: task, avoiding: avoiding, .urgent, caution), by: number)
      case .requestIdleSlot(let excluded):
        withdrawIdleSlot(by: number)
        request(coordinators[number].request(1, avoiding: excluded, .idle), by: number)
      case .withdrawIdleSlot: withdrawIdleSlot(by: number)
      case .reportStart(let attempt): reportStart(of: attempt, by: number)
      case .ended(let attempt, let outcome):
        coordinators[number].journal?.ended(attempt, outcome, at: now)
      case .forgive(let task, let system):
        coordinators[number].forgave(task, system)
        coordinators[number].journal?.forgave(task, system, at: now)
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
        pending += sabotage.altered(
          coordinators[number].engagement.received(added, at: now))
      case .rerun, .stalled, .waitForSystem: break
      case .giveUp(let task, let story):
        coordinators[number].gaveUp(task, story)
        coordinators[number].journal?.gaveUp(task, at: now)
      case .abandon(let task, let story): coordinators[number].abandon(task, story)
      case .wake(let instant): agenda.add(.wake(coordinator: number), at: instant)
      case .noSystem: coordinators[number].ends(.noSystem, at: now)
      case .refuse(let illegal): coordinators[number].findings.check(false, "\(illegal)")
      case .finish: coordinators[number].ends(.finished, at: now)
      }
    }
  }

  private mutating func request(_ request: SlotRequest, by number: Int) {
    deliver(coordinators[number].roster.requested(request), by: number)
  }

  /// Withdraws the earlier requests for a task that is requested anew.
  private mutating func withdrawRequests(for task: TaskID, by number: Int) {
    let requests = coordinators[number].retries.filter { $0.value == task }.keys.sorted()
    for request in requests { withdraw(request, by: number) }
  }

  private mutating func withdraw(_ request: SlotRequest.ID, by number: Int) {
    coordinators[number].retries[request] = nil
    coordinators[number].roster.withdrew(request)
    // A grant may already be on its way.
    coordinators[number].withdrawnRequests.insert(request)
  }

  private mutating func withdrawIdleSlot(by number: Int) {
    guard let request = coordinators[number].idleRequest else { return }
    coordinators[number].idleRequest = nil
    withdraw(request, by: number)
  }

  private mutating func reportStart(of attempt: Attempt, by number: Int) {
    coordinators[number].flights[attempt.id]?.isWatched = true
    guard let start = coordinators[number].flights[attempt.id]?.start else { return }
    scheduleSoon(.attemptStarted(coordinator: number, attempt.id, start))
  }

  private mutating func begin(_ attempt: Attempt, by number: Int) {
    coordinators[number].began(attempt)
    coordinators[number].checkQuarantine(of: attempt)
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
    // The engagement no longer waits for the attempt, whatever the answer says.
    _ = coordinators[number].close(attempt.id)
    guard let flight = coordinators[number].flights[attempt.id] else { return }
    if let link = flight.link { send(.cancel(attempt.id), over: link) }
    // The answer may already be on its way.
    let outcome: AttemptOutcome = random.chance(0.3) ? .succeeded(seconds: 1) : .cancelled
    answered(attempt.id, outcome, nil, by: number)
  }

  /// The tasks of the next pass, which follow from the output of this one.
  private func tasks(after task: TaskID) -> [TaskRange] {
    guard task.pass + 1 < plan.passes else { return [] }
    return [TaskRange(pass: task.pass + 1, sectors: task.sector..<task.sector + 1)]
  }
}
