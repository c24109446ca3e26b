import BitCollections
package import SkyNetCore

/// What a run counts, for people: how far it is, which systems helped, how long the rest takes.
///
/// It is made of the run's events alone, one after the other, as every view of a run is. So a sector counts in one way,
/// whether it was scanned now, restored from a journal, or given up. Nothing is decided by these counts, except which
/// sectors were never made (``openSectors(in:)``).
package struct RunLedger: Sendable {
  package private(set) var tally: Tally
  package private(set) var estimate: ProgressEstimate
  /// The sectors that the job began with, and those that it has added, in parts or otherwise.
  private var sectors: RangeSet<Int>
  /// Those that have their result, or failed.
  private var endedSectors = BitSet()
  /// The name of the part of a growing job of which a task was handed out last.
  private var latestPart: String?

  /// - Parameters:
  ///   - sectors: how many the job begins with.
  ///   - weights: how long each pass takes, in relation to the others; empty if that is not known.
  package init(sectors: Int, weights: [Double] = [], at now: Instant) {
    self.sectors = RangeSet(0..<sectors)
    tally = Tally(total: sectors)
    estimate = ProgressEstimate(weights: weights, at: now)
  }

  /// - Parameter part: the name of the part that the event's task belongs to; `nil` if the job does not grow.
  package mutating func note(_ event: EngagementEvent, of part: String?, at now: Instant) {
    switch event {
    case .added(let tasks, let pass): estimate.added(tasks, toPass: pass)
    case .grew(let part, let expected):
      sectors.insert(contentsOf: part.sectors)
      tally.grew(by: part.sectors.count)
      estimate.grew(by: part, expectedParts: expected)
    case .extended(let added):
      sectors.insert(contentsOf: added)
      tally.grew(by: added.count)
    case .partEnded(let part): estimate.ended(part)
    case .handedOut(let handout):
      tally.handedOut(to: handout.system, at: now)
      guard let part else { break }
      estimate.handedOut(handout.task, at: now)
      latestPart = part
    case .attemptEnded(let handout, _, _):
      tally.cameBack(from: handout.system)
      estimate.cameBack(handout.task)
    case .retried: tally.retriedOne()
    case .passCompleted(let task, let system, let seconds):
      accepted(task, from: system, seconds, endsSector: false, at: now)
    case .completed(let result):
      accepted(result.task, from: result.system, result.seconds, endsSector: true, at: now)
      tally.completed(by: result.system, at: now)
      endedSectors.insert(result.sector)
    case .failed(let failure):
      tally.failed(at: now)
      estimate.failed(failure.sector)
      endedSectors.insert(failure.sector)
    case .passRestored(let pass, let tasks): estimate.restored(tasks, inPass: pass)
    case .restored(let result):
      tally.restored()
      endedSectors.insert(result.sector)
    case .restoredFailure(let failure):
      tally.restoredFailure()
      estimate.failed(failure.sector, wasRestored: true)
      endedSectors.insert(failure.sector)
    case .renamed(let system, let former): tally.renamed(former, to: system.name)
    case .began, .finished, .connected, .disconnected, .silent, .heard, .paused, .resumed,
      .unsuited, .full, .held, .leaving, .yielding, .serving, .helping, .helped, .waitingForSystem,
      .stalled:
      break
    }
  }

  private mutating func accepted(
    _ task: TaskID, from system: String, _ seconds: Double, endsSector: Bool, at now: Instant
  ) {
    tally.cameBack(from: system)
    estimate.done(task, seconds: seconds, endsSector: endsSector, at: now)
  }

  /// The sectors, of these or of all, that have neither a result nor failed.
  func openSectors(in range: Range<Int>? = nil) -> [Int] {
    let ranges = range.map { [$0] } ?? Array(sectors.ranges)
    return ranges.flatMap { $0.filter { !endedSectors.contains($0) } }
  }

  /// Whether this sector has its result, or failed.
  func hasEnded(_ sector: Int) -> Bool { endedSectors.contains(sector) }

  /// Whether the run has this sector by now.
  func has(_ sector: Int) -> Bool { sectors.contains(sector) }

  /// Whether the run has one of these sectors by now.
  func hasAny(of range: Range<Int>) -> Bool {
    range.lowerBound < sectorsEnd && sectors.ranges.contains { $0.overlaps(range) }
  }

  /// The sector after the last one that the run has by now.
  var sectorsEnd: Int { sectors.ranges.last?.upperBound ?? 0 }

  /// The sectors of tasks that the run does not have by now.
  func newSectors(of tasks: [TaskRange]) -> [Range<Int>] {
    var new = RangeSet<Int>()
    for range in tasks where !isKnown(range.sectors) { new.insert(contentsOf: range.sectors) }
    return new.isEmpty ? [] : Array(new.subtracting(sectors).ranges)
  }

  /// The ranges are few: neighbours are one.
  private func isKnown(_ added: Range<Int>) -> Bool {
    sectors.ranges.contains { $0.clamped(to: added) == added }
  }

  /// How long the rest takes, in seconds; `nil` if nothing has been done lately that would tell.
  package func secondsLeft(at now: Instant) -> Double? {
    let isComplete = tally.completed + tally.failed >= tally.total && estimate.parts.isComplete
    return isComplete ? 0 : estimate.secondsLeft(at: now)
  }

  /// `now survey/a.fits`, or `now …/a.fits` if the name is long; `nil` before the first attempt.
  var currentPart: String? {
    let beginning = "now "
    let room = EngagementSummary.textLimit - beginning.utf8.count
    return latestPart.map { beginning + PeerName.fittedAtEnd($0, to: room) }
  }
}
