import SkyNetCore
import SkyNetJournal

/// Adds up what attempts came to, while they are read.
struct ReportFigures {
  private static let slowestLimit = 20
  private static let retryLimit = 20
  /// A month. A scan takes less, and a journal may come from an attacker: sums of so much do not overflow.
  private static let mostSeconds = 2_592_000.0
  /// The buckets in which sectors' ends are counted.
  private static let endBuckets = 1000

  struct SystemSums {
    /// `retried` counts as a view of the running run does; `lost` also has the attempts whose scans had not begun.
    var tasks = 0, retried = 0, lost = 0
    /// Seconds of scans that brought outputs, and of all.
    var useful = 0.0, busy = 0.0
    var slowest = 0.0
    /// Milliseconds that it was there, and these times its slots.
    var present = 0, capacity = 0.0
    /// Milliseconds for which its slots are not known.
    var unknown = 0
  }

  let clock: ReportClock
  private(set) var systems: [SystemSums] = []
  /// The attempts that failed or were lost.
  private(set) var broken = 0
  private(set) var hedges = 0
  private(set) var slowest: [RunReport.Summary.SlowSector] = []
  private(set) var retries: [RunReport.Summary.Retry] = []
  private(set) var reasonCounts: [Int: Int] = [:]
  /// When tasks were given up: those that the report lists.
  private(set) var givenUpAt: [TaskID: Int] = [:]
  /// How many sectors had their result, by the time.
  private(set) var ends = Array(repeating: 0, count: endBuckets + 1)
  private var task = (
    id: TaskID?.none, attempts: 0, isDone: false, isGivenUp: false, at: 0, system: 0
  )

  init(_ clock: ReportClock) { self.clock = clock }

  // MARK: Attempts

  /// The seconds that an attempt kept a slot busy, as far as the journal knows.
  func busy(_ attempt: RunHistory.Attempt) -> Double {
    if let seconds = attempt.seconds { return min(seconds, Self.mostSeconds) }
    // An attempt that was handed back, or lost before its scan began, waited at its system.
    switch attempt.ending {
    case .lost where !attempt.hadStarted: return 0
    case .withdrawn where attempt.reason == AttemptOutcome.handedBack.reason: return 0
    case .done, .failed, .lost, .withdrawn, .none: break
    }
    return Double(max(0, clock.end(of: attempt) - clock.time(attempt.began))) / 1000
  }

  mutating func done(_ attempt: RunHistory.Attempt, _ row: RunReport.AttemptRow) {
    let seconds = busy(attempt)
    makeRoom(for: row.system)
    systems[row.system].tasks += 1
    systems[row.system].busy += seconds
    systems[row.system].useful += seconds
    systems[row.system].slowest = max(systems[row.system].slowest, seconds)
    if attempt.isHedge { hedges += 1 }
    let end = row.began + max(0, row.took)
    if attempt.endsSector { ends[end * Self.endBuckets / max(1, clock.length)] += 1 }
    let took = Int(seconds * 1000)
    guard slowest.count < Self.slowestLimit || took > slowest.last?.took ?? 0 else { return }
    let place = slowest.firstIndex { $0.took < took } ?? slowest.count
    slowest.insert(
      .init(
        task: attempt.task, ordinal: attempt.ordinal, system: row.system, at: row.began, took: took),
      at: place)
    if slowest.count > Self.slowestLimit { slowest.removeLast() }
  }

  mutating func other(
    _ attempt: RunHistory.Attempt, _ row: RunReport.AttemptRow, endedAt end: Int
  ) {
    makeRoom(for: row.system)
    systems[row.system].busy += busy(attempt)
    if attempt.isHedge { hedges += 1 }
    var counts = false
    switch attempt.ending {
    case .failed:
      broken += 1
      counts = true
    case .lost:
      broken += 1
      systems[row.system].lost += 1
      counts = attempt.hadStarted
    case .withdrawn, .none, .done: break
    }
    if counts {
      if row.reason >= 0 { reasonCounts[row.reason, default: 0] += 1 }
      retried(attempt, on: row.system, at: end)
    }
    if attempt.isTaskGivenUp,
      givenUpAt[attempt.task] != nil || givenUpAt.count < RunReport.failureLimit
    {
      givenUpAt[attempt.task] = max(givenUpAt[attempt.task] ?? 0, end)
    }
  }

  /// The attempts at one task follow each other.
  private mutating func retried(_ attempt: RunHistory.Attempt, on system: Int, at end: Int) {
    if task.id != attempt.task {
      endTask()
      task = (attempt.task, 0, attempt.isTaskDone, attempt.isTaskGivenUp, 0, system)
    }
    systems[system].retried += 1
    if end >= task.at { task.system = system }
    task.attempts = max(task.attempts, attempt.ordinal)
    task.at = max(task.at, end)
  }

  private mutating func endTask() {
    guard let id = task.id else { return }
    // No attempt followed the last one of a task that was given up.
    if task.isGivenUp { systems[task.system].retried -= 1 }
    let attempts = task.attempts + (task.isDone ? 1 : 0)
    guard retries.count < Self.retryLimit || attempts > retries.last?.attempts ?? 0 else { return }
    let place = retries.firstIndex { $0.attempts < attempts } ?? retries.count
    retries.insert(.init(task: id, attempts: attempts, isDone: task.isDone, at: task.at), at: place)
    if retries.count > Self.retryLimit { retries.removeLast() }
  }

  private mutating func makeRoom(for system: Int) {
    while systems.count <= system { systems.append(SystemSums()) }
  }

  // MARK: Presence

  /// Adds how long systems were there, process by process. A system counts from its first attempt to its last if the
  /// journal does not say when it came.
  mutating func addPresence(
    _ changes: [RunHistory.Change], _ extents: [RunHistory.Extent], rows: [Int: Int],
    systems count: Int
  ) {
    struct Visit: Hashable { let process: Int, system: Int }
    makeRoom(for: max(0, count - 1))
    var present: [Visit: (since: Int, slots: Int?)] = [:]
    var known: Set<Visit> = []
    func leave(_ visit: Visit, _ sums: inout [SystemSums], at time: Int) {
      guard let (since, slots) = present.removeValue(forKey: visit), let row = rows[visit.system]
      else { return }
      let length = max(0, time - since)
      sums[row].present += length
      if let slots { sums[row].capacity += Double(length * min(slots, 100_000)) }
    }
    for change in changes {
      let visit = Visit(process: change.process, system: change.system)
      switch change.word {
      case "connected":
        leave(visit, &systems, at: clock.time(change.at))
        present[visit] = (clock.time(change.at), change.slots)
        known.insert(visit)
      case "disconnected": leave(visit, &systems, at: clock.time(change.at))
      default: break
      }
    }
    for visit in Array(present.keys) {
      leave(visit, &systems, at: clock.last(ofProcess: visit.process))
    }
    for extent in extents {
      let visit = Visit(process: extent.process, system: extent.system)
      guard !known.contains(visit), let row = rows[extent.system] else { continue }
      let length = max(0, clock.time(extent.last) - clock.time(extent.first))
      systems[row].present += length
      systems[row].unknown += length
    }
  }

  /// Ends the last task.
  mutating func finish() {
    endTask()
    task.id = nil
    // Where slots are not known, as many count as were busy on average.
    for row in systems.indices where systems[row].unknown > 0 && systems[row].present > 0 {
      let share = Double(systems[row].unknown) / Double(systems[row].present)
      systems[row].capacity += systems[row].busy * 1000 * share
    }
  }
}
