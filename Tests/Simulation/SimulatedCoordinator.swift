import SkyNetCore

/// One engagement: the real decisions, and a ledger kept apart from them to judge them by.
struct SimulatedCoordinator {
  enum End: Equatable {
    case finished
    case noSystem
  }

  struct Flight {
    let attempt: Attempt
    /// The connection it went out by; `nil` if there was none any more.
    let link: Int?
    var hadStarted = false
  }

  static let kind = ScanKind(name: "simulated", version: 1)

  let id: Incarnation
  var roster = Roster()
  var engagement: Engagement
  var links: [Incarnation: Int] = [:]
  /// Calls that were not answered.
  var flights: [Attempt.ID: Flight] = [:]
  /// The tasks that urgent requests are for.
  var retries: [SlotRequest.ID: TaskID] = [:]
  private var nextRequest: SlotRequest.ID = 0

  // MARK: The ledger

  let findings = Findings()
  private(set) var end: End?
  private(set) var isInterrupted = false
  /// Attempts that the engagement waits for.
  private var open: [Attempt.ID: Attempt] = [:]
  private var unended: Set<TaskID> = []
  private var ended: Set<TaskID> = []
  private var ordinals: [TaskID: Int] = [:]
  /// Slots that count against a system that is connected.
  private var counted: [Incarnation: Set<Slot>] = [:]
  /// Slots that were granted, and neither used nor given back.
  private var unused: Set<Slot> = []
  private var began = 0

  init(id: Incarnation, settings: EngagementSettings) {
    self.id = id
    engagement = Engagement(settings: settings)
  }

  var systems: Int { roster.members.count { !$0.isDraining } }

  mutating func request(_ count: Int, for task: TaskID?, avoiding: [Incarnation]) -> SlotRequest {
    nextRequest += 1
    retries[nextRequest] = task
    return SlotRequest(
      id: nextRequest, kind: Self.kind, count: count, avoiding: avoiding, isUrgent: task != nil)
  }

  mutating func added(_ tasks: [TaskRange]) {
    for range in tasks {
      for sector in range.sectors { unended.insert(TaskID(pass: range.pass, sector: sector)) }
    }
  }

  mutating func granted(_ grants: [Roster.Grant]) {
    for slot in grants.flatMap(\.slots) {
      findings.check(unused.insert(slot).inserted, "\(slot) is granted twice")
      counted[slot.system, default: []].insert(slot)
    }
  }

  mutating func released(_ slot: Slot) { counted[slot.system]?.remove(slot) }

  mutating func gaveBack(_ slot: Slot) {
    findings.check(unused.remove(slot) != nil, "\(slot) is given back, but is not at hand")
  }

  mutating func left(_ system: Incarnation) { counted[system] = nil }

  mutating func began(_ attempt: Attempt) {
    began += 1
    findings.check(end == nil, "\(attempt.task) begins after the end")
    findings.check(!isInterrupted, "\(attempt.task) begins after the interruption")
    findings.check(
      unused.remove(attempt.slot) != nil, "\(attempt.task) begins on a slot not granted")
    findings.check(unended.contains(attempt.task), "\(attempt.task) begins, but has ended")
    findings.check(!open.values.contains { $0.task == attempt.task }, "\(attempt.task) runs twice")
    let ordinal = ordinals[attempt.task, default: 0] + 1
    findings.check(attempt.ordinal == ordinal, "\(attempt.task) calls attempt \(ordinal) another")
    ordinals[attempt.task] = ordinal
    findings.check(
      open.updateValue(attempt, forKey: attempt.id) == nil, "attempt \(attempt.id) twice")
  }

  /// An attempt's end is made known. Returns whether it was still waited for.
  mutating func closes(_ attempt: Attempt.ID) -> Attempt? { open.removeValue(forKey: attempt) }

  mutating func accepted(_ attempt: Attempt, ending closed: Attempt?) {
    findings.check(attempt == closed, "\(attempt.task) is accepted from an attempt that was over")
    end(attempt.task, "accepted")
  }

  mutating func gaveUp(_ task: TaskID, _ story: TaskStory) {
    findings.check(!story.failures.isEmpty, "\(task) is given up without a reason")
    findings.check(story.attempts == ordinals[task, default: 0], "\(task) tells of other attempts")
    findings.check(!open.values.contains { $0.task == task }, "\(task) is given up while it runs")
    end(task, "given up")
  }

  private mutating func end(_ task: TaskID, _ how: String) {
    findings.check(end == nil, "\(task) is \(how) after the end")
    findings.check(unended.remove(task) != nil, "\(task) is \(how), but is not one that was to end")
    findings.check(ended.insert(task).inserted, "\(task) ends twice")
  }

  mutating func ends(_ how: End) {
    findings.check(end == nil, "it ends twice")
    end = how
    findings.check(open.isEmpty, "it ends while \(open.count) attempts are in flight")
    if how == .noSystem {
      findings.check(began == 0, "it had a system, but says that there was none")
    }
    guard how == .finished, !isInterrupted else { return }
    findings.check(unended.isEmpty, "it finishes with \(unended.count) tasks not ended")
  }

  mutating func interrupt() { isInterrupted = true }

  /// After each step: the decisions' own counts are the ledger's.
  mutating func checkCounts() {
    findings.check(
      engagement.attemptsInFlight == open.count,
      "\(engagement.attemptsInFlight) attempts are in flight, not \(open.count)")
    for member in roster.members {
      let count = counted[member.id]?.count ?? 0
      findings.check(
        member.inFlight == count, "\(member.name) has \(member.inFlight) slots, not \(count)")
      let most = member.isLocal ? member.slots : member.slots * Pace.depth
      findings.check(
        member.inFlight <= most, "\(member.name) has \(member.inFlight) of \(most) slots")
    }
  }

  /// When nothing more can happen.
  mutating func checkEnd() {
    findings.check(
      end != nil, "it does not end: \(unended.count) tasks are left, \(open.count) in flight")
    findings.check(unused.isEmpty, "\(unused.count) slots are not given back")
    findings.check(counted.values.allSatisfy(\.isEmpty), "slots are not released")
  }
}
