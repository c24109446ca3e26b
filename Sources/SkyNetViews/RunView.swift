import Foundation
package import SkyNetCluster
package import SkyNetCore

/// What people see of a run: counts, systems, the field of sectors, the attempts in flight and lately, and
/// notices. All of it is made of the run's events, whichever view shows it.
///
/// Its memory is bounded, however large the run: beyond ``SectorField/cellLimit`` sectors a cell stands for
/// several, beyond ``systemLimit`` systems a new one takes the row of one that is gone, and old attempts and
/// notices are forgotten. Times are seconds since 1970, as in the events.
package struct RunView: Sendable {
  /// The most systems with a row of their own.
  package static let systemLimit = 1024

  /// The run's id; `nil` before its first event.
  package private(set) var run: RunID?
  /// What is scanned.
  package private(set) var name = ""
  /// The names of the passes that the run may have.
  package private(set) var passes: [String] = []
  package private(set) var began = 0.0
  /// The time of the last event.
  package private(set) var now = 0.0
  /// Why the run has ended, `done` if every sector has ended; `nil` while it goes on.
  package private(set) var end: String?
  package private(set) var hedged = 0
  /// The systems, in the order in which they appeared; the rows of systems without attempts are reused when
  /// there are too many.
  package private(set) var systems: [SystemRow] = []
  package private(set) var field = SectorField(sectors: 0)
  package private(set) var attempts = AttemptRecord()
  package private(set) var notices = Notices()
  /// The whole run over its time.
  package private(set) var curve = RunCurve(start: 0)
  private var lines = EventLines()
  /// When the first of the lines came that are held back.
  private var heldSince: Double?
  private var ledger = RunLedger(sectors: 0, at: Instant())
  private var rows: [String: Int] = [:]
  private var isResumed = false
  /// The row that was looked up last. Events of one system often follow each other.
  private var lastRow = (name: "", index: 0)

  /// How long each pass takes, in relation to the others.
  private let weights: [Double]

  /// - Parameter weights: how long each pass takes, in relation to the others; empty if that is not known. The events
  ///   do not tell it.
  package init(weights: [Double] = []) {
    self.weights = weights
  }

  // MARK: Figures

  package var sectors: Int { ledger.tally.total }
  package var completed: Int { ledger.tally.completed }
  package var failed: Int { ledger.tally.failed }
  package var retried: Int { ledger.tally.retried }
  package var restored: Int { ledger.tally.restoredCount }
  /// How many parts of a growing job there are, and what has become of them. There are none if the job does not grow.
  package var parts: PartProgress { ledger.estimate.parts }
  /// The open parts with a task in flight, in the order in which they began.
  package var partsInFlight: [JobPart] {
    let sectors = Set(attempts.inFlight.keys.map(\.task.sector))
    return parts.openParts.filter { part in
      part.sectors.count < sectors.count
        ? part.sectors.contains(where: sectors.contains)
        : sectors.contains(where: part.sectors.contains)
    }
  }
  /// Whether a sector may be several tasks. A growing job does not name its passes.
  package var hasSeveralPasses: Bool {
    passes.count > 1 || systems.contains { $0.tasks > $0.completed }
  }
  package var inFlight: Int { systems.reduce(0) { $0 + $1.inFlight } }
  package var pass: String? { ledger.estimate.passText(passes) }

  /// The tasks per second that all systems did lately.
  package func tasksPerSecond(at time: Double) -> Double {
    systems.reduce(0) { $0 + $1.steadyRate(at: time, began: began) }
  }

  /// How long the rest takes, in seconds; `nil` if nothing that would tell has ended lately.
  package func secondsLeft(at time: Double) -> Double? {
    ledger.secondsLeft(at: instant(time))
  }

  private func instant(_ time: Double) -> Instant {
    Instant(sinceOrigin: .seconds(max(0, time - began)))
  }

  /// Begins a new version of the field; see ``SectorField/nextVersion()``.
  @discardableResult package mutating func nextVersion() -> UInt32 { field.nextVersion() }

  // MARK: Events

  package mutating func apply(_ update: EngagementUpdate) {
    let time = update.time.timeIntervalSince1970
    now = time
    switch update.event {
    case .began(let name, let sectors, let passes):
      begin(update.run, name, sectors, passes, at: time)
    case .extended(let sectors): field.grow(to: sectors.upperBound)
    case .grew(let part, _): field.grow(to: part.sectors.upperBound)
    case .finished(let reason):
      curve.advance(to: time)
      end = reason ?? "done"
    case .handedOut(let handout): handedOut(handout, at: time)
    case .attemptEnded(let handout, let ending, let reason):
      attemptEnded(handout, ending, reason, at: time)
    case .passCompleted(let task, let system, let seconds):
      done(task, on: system, in: seconds, endsSector: false, at: time)
    case .completed(let result):
      done(
        TaskID(pass: result.pass, sector: result.sector), on: result.system, in: result.seconds,
        endsSector: true, at: time)
    case .failed(let failure), .restoredFailure(let failure): field.failed(failure.sector)
    case .restored(let result):
      resumes(at: time)
      field.done(result.sector, by: row(of: result.system), pass: result.pass)
    case .connected, .renamed, .disconnected, .silent, .heard, .paused, .resumed, .unsuited, .full,
      .leaving, .yielding, .serving:
      applyToSystems(update.event, at: time)
    case .retried(_, let failure):
      systems[row(of: failure.system)].retried += 1
      curve.retried(at: time)
    case .passRestored: resumes(at: time)
    case .added, .partEnded, .helping, .helped, .held, .waitingForSystem, .stalled: break
    }
    ledger.note(update.event, of: update.part, at: instant(time))
    notices.add(lines.lines(for: update), at: time)
    if lines.isHolding || heldSince != nil { releaseLines(at: time) }
  }

  /// Adds the notices that waited for further events, if they have waited long enough.
  package mutating func releaseLines(at time: Double) {
    guard lines.isHolding else {
      heldSince = nil
      return
    }
    let since = heldSince ?? time
    heldSince = since
    guard time - since >= EventLines.patience else { return }
    notices.add(lines.flush(), at: time)
    heldSince = nil
  }

  /// Nothing else has happened until then.
  package mutating func nothingHappened(until time: Double) {
    if run != nil, end == nil { curve.advance(to: time) }
  }

  /// The run has been asked to stop, so it hands out no sector again.
  package mutating func stops() { lines.handsOutAgain = false }

  /// The run was given up, so that it reports no end itself.
  package mutating func abandoned(for reason: String) {
    end = end ?? reason
    notices.add(lines.flush(), at: now)
  }

  private mutating func begin(
    _ run: RunID, _ name: String, _ sectors: Int, _ passes: [String], at time: Double
  ) {
    self.run = run
    self.name = name
    self.passes = passes
    began = time
    ledger = RunLedger(sectors: sectors, weights: weights, at: Instant())
    // Viewers of the empty field have versions of it already.
    field = SectorField(sectors: sectors, version: field.nextVersion() + 1)
    curve = RunCurve(start: time)
  }

  /// An earlier process of the run did something.
  private mutating func resumes(at time: Double) {
    guard !isResumed else { return }
    isResumed = true
    curve.mark(.resumed, at: time)
  }

  private mutating func handedOut(_ handout: EngagementEvent.Handout, at time: Double) {
    let row = row(of: handout.system)
    systems[row].inFlight += 1
    if handout.isHedge { hedged += 1 }
    field.handedOut(handout.task.sector, to: row, pass: handout.task.pass)
    attempts.began(handout, on: row, at: time)
    curve.began(at: time)
  }

  private mutating func attemptEnded(
    _ handout: EngagementEvent.Handout, _ ending: EngagementEvent.Ending, _ reason: String,
    at time: Double
  ) {
    let row = row(of: handout.system)
    systems[row].inFlight -= 1
    if ending == .lost { systems[row].lost += 1 }
    field.cameBack(handout.task.sector)
    attempts.ended(handout.task, on: row, .init(ending), at: time)
    curve.ended(on: row, isDone: false, at: time)
  }

  private mutating func done(
    _ task: TaskID, on system: String, in seconds: Double, endsSector: Bool, at time: Double
  ) {
    let row = row(of: system)
    systems[row].inFlight -= 1
    systems[row].done(in: seconds, endsSector: endsSector, at: time)
    field.cameBack(task.sector)
    if endsSector {
      field.done(task.sector, by: row, pass: task.pass)
    } else {
      field.passed(task.sector, by: row, pass: task.pass)
    }
    attempts.ended(task, on: row, .done, at: time)
    curve.ended(on: row, isDone: true, at: time)
  }

  private mutating func applyToSystems(_ event: EngagementEvent, at time: Double) {
    switch event {
    case .connected(let system):
      let row = row(of: system.name)
      systems[row].connected(system)
      curve.mark(.joined, row, at: time)
    case .renamed(let system, let former):
      let row = row(of: former)
      systems[row].name = system.name
      (rows[former], rows[system.name]) = (nil, row)
      lastRow = (system.name, row)
    case .disconnected(let system, let reason):
      let row = row(of: system.name)
      curve.mark(systems[row].isLeaving ? .left : .died, row, at: time)
      systems[row].standing.set(.gone(reason: reason))
    case .silent(let system, let silence):
      change(system.name) { $0.standing.silent(since: time - silence.inSeconds) }
    case .heard(let system): change(system.name) { $0.standing.heard() }
    case .paused(let name, let failures, let duration):
      change(name) {
        $0.standing.set(.paused(until: time + duration.inSeconds, failures: failures))
      }
    case .resumed(let name): change(name) { $0.standing.resumed() }
    case .unsuited(let name, let reason):
      change(name) { $0.standing.set(.unsuited(reason: reason)) }
    case .leaving(let name, let client): change(name) { $0.standing.set(.leaving(by: client)) }
    case .yielding(let name, _, _): change("local") { $0.standing.set(.yielding(to: name)) }
    case .serving(let name): change(name) { $0.standing.serves() }
    default: break
    }
  }

  private mutating func change(_ name: String, _ body: (inout SystemRow) -> Void) {
    body(&systems[row(of: name)])
  }

  // MARK: Rows

  /// The row of a system, which is made if there is none.
  private mutating func row(of name: String) -> Int {
    if lastRow.name == name, lastRow.index < systems.count { return lastRow.index }
    let index = rows[name] ?? makeRow(name)
    lastRow = (name, index)
    return index
  }

  private mutating func makeRow(_ name: String) -> Int {
    // Peers choose their names, and may come back under a new one for ever.
    let free =
      systems.count < Self.systemLimit
      ? nil : systems.firstIndex { $0.isGone && $0.inFlight == 0 }
    if let free {
      rows[systems[free].name] = nil
      systems[free] = SystemRow(name: name)
    } else {
      systems.append(SystemRow(name: name))
    }
    let index = free ?? systems.count - 1
    rows[name] = index
    return index
  }
}
