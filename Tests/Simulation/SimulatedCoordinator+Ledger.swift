import SkyNetCore

/// The ledger: it judges an engagement's actions and reports independently of its decisions.
extension SimulatedCoordinator {
  mutating func added(_ tasks: [TaskRange]) {
    for range in tasks {
      for sector in range.sectors { unended.insert(TaskID(pass: range.pass, sector: sector)) }
    }
  }

  mutating func granted(_ grants: [Roster.Grant]) {
    for slot in grants.flatMap(\.slots) {
      findings.check(unused.insert(slot).inserted, "\(slot) is granted twice")
      findings.check(
        !unsuited.contains(slot.system), "\(slot) is granted, and its system is known as unsuited")
      counted[slot.system, default: []].insert(slot)
    }
  }

  mutating func released(_ slot: Slot) { counted[slot.system]?.remove(slot) }

  mutating func gaveBack(_ slot: Slot) {
    findings.check(unused.remove(slot) != nil, "\(slot) is given back, but is not unused")
  }

  mutating func left(_ system: Incarnation) {
    counted[system] = nil
    unsuited.remove(system)
  }

  /// From now on, no slot of this system may be granted, as long as it is connected. Attempts on slots that were granted
  /// before may still begin.
  mutating func knows(unsuited system: Incarnation) {
    hasKnownUnsuited = true
    if roster.member(system) != nil { unsuited.insert(system) }
  }

  mutating func began(_ attempt: Attempt) {
    began += 1
    findings.check(end == nil, "\(attempt.task) begins after the end")
    findings.check(!isInterrupted, "\(attempt.task) begins after the interruption")
    findings.check(
      unused.remove(attempt.slot) != nil, "\(attempt.task) begins on a slot not granted")
    findings.check(unended.contains(attempt.task), "\(attempt.task) begins, but has ended")
    let rivals = open.values.count { $0.task == attempt.task }
    findings.check(
      rivals == (attempt.isHedge ? 1 : 0), "\(attempt.task) runs beside \(rivals) others")
    checkOrder(of: attempt)
    let deaths = deaths[attempt.task]?.count ?? 0
    // Where other systems die too, a task may have met deaths by bad luck.
    findings.check(
      deaths < (othersDied(than: attempt.task) ? 6 : 3),
      "\(attempt.task) begins after \(deaths) deaths")
    findings.check(!attempt.isHedge || deaths == 0, "\(attempt.task), a suspect, is hedged")
    let ordinal = ordinals[attempt.task, default: 0] + 1
    findings.check(
      attempt.ordinal == ordinal, "\(attempt.task) gives attempt \(ordinal) another number")
    ordinals[attempt.task] = ordinal
    findings.check(
      open.updateValue(attempt, forKey: attempt.id) == nil, "attempt \(attempt.id) twice")
  }

  /// Checks that a task that ran at two deaths has a system to itself, as far as the coordinator
  /// knows.
  mutating func checkQuarantine(of attempt: Attempt) {
    let neighbours = flights.values.filter { $0.attempt.slot.system == attempt.slot.system }
    let isSuspect = (deaths[attempt.task]?.count ?? 0) >= 2
    if isSuspect { suspected.insert(attempt.id) }
    findings.check(
      !isSuspect || neighbours.isEmpty, "\(attempt.task), a suspect, begins beside others")
    findings.check(
      !neighbours.contains { suspected.contains($0.attempt.id) },
      "\(attempt.task) begins beside a suspect")
  }

  /// Whether systems died on which this task did not run.
  private func othersDied(than task: TaskID) -> Bool {
    !dead.subtracting(deaths[task] ?? []).isEmpty
  }

  /// The end of an attempt is about to be reported. Returns the attempt if the engagement still
  /// waits for it.
  mutating func close(_ attempt: Attempt.ID) -> Attempt? { open.removeValue(forKey: attempt) }

  /// The engagement learns the outcome of an attempt that it waits for.
  mutating func learn(_ attempt: Attempt, _ outcome: AttemptOutcome) {
    switch outcome {
    case .lost(_, _, hadStarted: true):
      deaths[attempt.task, default: []].append(attempt.slot.system)
      dead.insert(attempt.slot.system)
    case .failed, .refused:
      failures[attempt.slot.system, default: 0] += 1
      hasScanned = true
    case .succeeded: hasScanned = true
    default: break
    }
    if outcome.isUnmendable { unmendable.insert(attempt.task) }
  }

  mutating func forgave(_ task: TaskID, _ system: Incarnation) {
    let count = deaths[task]?.count { $0 == system } ?? 0
    findings.check(count > 0, "\(task) is forgiven, and was not at a death of \(system)")
    deaths[task]?.removeAll { $0 == system }
  }

  /// A system is alive. No remaining task may be blamed for its death.
  mutating func forgaveAll(_ system: Incarnation) {
    dead.remove(system)
    for (task, dead) in deaths where unended.contains(task) {
      findings.check(!dead.contains(system), "\(task) is not forgiven, and \(system) is alive")
    }
  }

  mutating func accepted(_ attempt: Attempt, ending closed: Attempt?) {
    findings.check(attempt == closed, "\(attempt.task) is accepted from an attempt that was over")
    end(attempt.task, "accepted")
  }

  mutating func gaveUp(_ task: TaskID, _ story: TaskStory) {
    findings.check(!story.failures.isEmpty, "\(task) is given up without a reason")
    findings.check(story.attempts == ordinals[task, default: 0], "\(task) counts other attempts")
    findings.check(!open.values.contains { $0.task == task }, "\(task) is given up while it runs")
    hopeless.insert(task)
    end(task, "given up")
  }

  mutating func abandon(_ task: TaskID, _ story: TaskStory) {
    findings.check(!story.failures.isEmpty, "\(task) is abandoned without a reason")
    findings.check(
      systems == 0, "\(task) is abandoned while systems are there")
    abandoned.insert(task)
    end(task, "abandoned")
  }

  private mutating func end(_ task: TaskID, _ how: String) {
    findings.check(end == nil, "\(task) is \(how) after the end")
    findings.check(unended.remove(task) != nil, "\(task) is \(how), but was not added or has ended")
    findings.check(ended.insert(task).inserted, "\(task) ends twice")
  }

  mutating func ends(_ how: End, at now: Instant) {
    findings.check(end == nil, "the engagement ends twice")
    endTime = now
    end = how
    findings.check(open.isEmpty, "the engagement ends while \(open.count) attempts are in flight")
    if how == .noSystem {
      findings.check(
        began == 0 || hasKnownUnsuited && !hasScanned,
        "the engagement had a system, but reports that there was none")
    }
    guard how == .finished, !isInterrupted else { return }
    findings.check(
      !grows || hasAllParts || !abandoned.isEmpty, "the engagement finishes before its job has")
    findings.check(unended.isEmpty, "the engagement finishes with \(unended.count) open tasks")
  }

  mutating func interrupt() { isInterrupted = true }

  /// Checks after each step that the decisions count the same as the ledger.
  mutating func checkCounts() {
    findings.check(
      unmendable.isSubset(of: hopeless), "a task goes on, and no other attempt would mend it")
    findings.check(
      !open.values.contains { ended.contains($0.task) }, "an attempt goes on at a task that ended")
    findings.check(
      engagement.attemptsInFlight == open.count,
      "\(engagement.attemptsInFlight) attempts are in flight, not \(open.count)")
    for member in roster.members {
      let count = counted[member.id]?.count ?? 0
      findings.check(
        member.inFlight == count, "\(member.name) has \(member.inFlight) slots, not \(count)")
      let most = member.isLocal ? member.slots : member.slots * Prefetch.mostPerSlot
      findings.check(
        member.inFlight <= most, "\(member.name) has \(member.inFlight) of \(most) slots")
    }
  }

  /// Checks the end state, when nothing more can happen.
  mutating func checkEnd() {
    guard !isDead else { return }
    findings.check(
      end != nil,
      "the engagement does not end: \(unended.count) tasks are left, \(open.count) in flight")
    findings.check(unused.isEmpty, "\(unused.count) slots are not given back")
    findings.check(counted.values.allSatisfy(\.isEmpty), "slots are not released")
    let lost =
      journal?.violations(except: abandoned, isComplete: end == .finished && isComplete) ?? []
    findings.check(lost.isEmpty, lost.joined(separator: "; "))
  }
}
