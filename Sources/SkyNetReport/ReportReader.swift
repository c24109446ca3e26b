import SkyNetCluster
import SkyNetCore
package import SkyNetJournal
import SkyNetViews

extension RunReport {
  /// Makes the report of a journal, even one that is in use, which stays as it is. It blocks the thread.
  ///
  /// - Parameters:
  ///   - path: the journal's file.
  ///   - name: the journal's name in the report.
  ///   - scene: makes what the run's workload adds, of what the journal has.
  /// - Throws: `JournalError`; what `scene` throws.
  package static func read(
    _ path: String, named name: String, scene: (RunHistory) throws -> Scene = { _ in Scene() }
  ) throws -> RunReport {
    try RunHistory.read(path) { history in
      var reader = try ReportReader(history, name: name)
      try reader.read()
      reader.report.scene = try scene(history)
      let points = reader.report.scene.points
      reader.report.scene.points = Array(points.prefix(pointLimit))
      return reader.report
    }
  }
}

/// Goes through a journal's rows once, and makes the report of them.
struct ReportReader {
  let history: RunHistory
  var report = RunReport()
  /// The systems' indices in the report, by the journal's numbers.
  private var rows: [Int: Int] = [:]
  private var rowsByName: [String: Int] = [:]
  private var reasonRows: [String: Int] = [:]
  private var notices = NoticeList()
  var figures: ReportFigures
  private var curve: ReportCurve
  /// The latest failure of a task that was given up. The attempts at one task follow each other.
  private var lastFailure: (task: TaskID, at: Int)?
  /// The process that may still run; its attempts without an end are in flight.
  private let living: Int?
  private let clock: ReportClock

  init(_ history: RunHistory, name: String) throws {
    self.history = history
    let extents = try history.extents()
    var changes: [RunHistory.Change] = []
    var changesLeftOut = 0
    try history.forEachChange { change in
      if changes.count < RunReport.presenceLimit {
        changes.append(change)
      } else {
        changesLeftOut += 1
      }
    }
    clock = ReportClock(history.processes, extents, changes)
    figures = ReportFigures(clock)
    curve = ReportCurve(clock)
    living = history.isInUse ? history.processes.last?.number : nil
    report.journal = name
    try readHead()
    try history.forEachSystem { system in
      rows[system.number] = row(named: system.name)
    }
    for change in changes { add(change) }
    notices.leftOut += changesLeftOut
    figures.addPresence(changes, extents, rows: rows, systems: report.systems.count)
    curve.mark(changes, rows: rows, local: rowsByName["local"], clock)
    let attempts = extents.reduce(0) { $0 + $1.count }
    if report.sectors > RunReport.sectorLimit || attempts > RunReport.attemptLimit {
      report.course = .aggregate(
        RunReport.Aggregate(
          sectors: report.sectors, passes: try history.lastPass() + 1,
          systems: report.systems.count, length: report.length))
    }
  }

  private mutating func readHead() throws {
    report.software = history.software
    report.name = history.setup?.name ?? history.job.facts.first?.value ?? ""
    report.run = history.run
    report.passes = history.setup?.passes ?? []
    report.sectors = history.sectors
    report.sectorCount = history.progress.sectors
    report.partsOverview = try history.partsOverview()
    if report.partsOverview != nil {
      try history.forEachPart { part in
        guard report.parts.count < RunReport.partLimit, !part.sectors.isEmpty else { return }
        report.parts.append(JobPart(number: part.number, sectors: part.sectors, name: part.name))
      }
    }
    report.completed = history.progress.done
    report.failed = history.progress.failed
    report.began = clock.origin
    report.length = clock.length
    report.processes = clock.spans.map(\.span)
    if history.progress.isComplete || haveAllPartsEnded {
      report.end = "done"
    } else {
      report.end = history.processes.last?.ended == nil ? "unfinished" : "interrupted"
    }
  }

  /// Whether all parts that a growing job had by then have ended, and then its process.
  private var haveAllPartsEnded: Bool {
    guard let parts = report.partsOverview, parts.open == 0, history.processes.last?.ended != nil
    else { return false }
    let progress = history.progress
    return progress.done + progress.failed + progress.neverMade >= progress.sectors
  }

  // MARK: Rows

  mutating func read() throws {
    var course = report.course
    // The array or the columns are changed in place, not copied.
    report.course = .attempts([])
    try readAttempts(into: &course)
    try readFailures()
    if case .attempts(var list) = course {
      course = .attempts([])
      list.sort { ($0.began, $0.task) < ($1.began, $1.task) }
      course = .attempts(list)
    }
    report.course = course
    report.notices = notices.ordered
    report.noticesLeftOut = notices.leftOut
    report.curve = curve.curve
    report.hedged = figures.hedges
    figures.finish()
    report.retried = figures.systems.reduce(0) { $0 + $1.retried }
    for task in figures.slowest.map(\.task) + figures.retries.map(\.task) { try locate(task) }
    report.summary = figures.summary(of: report)
  }

  private mutating func readAttempts(into course: inout RunReport.Course) throws {
    let history = history
    switch course {
    case .attempts(var list):
      course = .attempts([])
      let hedged = try history.forEachOther { attempt in
        list.append(other(attempt))
      }
      try history.forEachDone(hedged: hedged) { attempt in list.append(done(attempt)) }
      course = .attempts(list)
    case .aggregate(var aggregate):
      course = .attempts([])
      var givenUp: (task: TaskID, at: Int)?
      func endGivenUp() {
        if let ended = givenUp { aggregate.gaveUp(ended.task, at: ended.at) }
        givenUp = nil
      }
      let hedged = try history.forEachOther { attempt in
        let row = other(attempt)
        if attempt.isTaskGivenUp {
          if givenUp?.task != attempt.task { endGivenUp() }
          givenUp = (attempt.task, max(givenUp?.at ?? 0, clock.end(of: attempt)))
        }
        aggregate.add(
          ending(of: attempt), of: attempt.task, on: row.system, began: row.began,
          ended: clock.end(of: attempt), busy: figures.busy(attempt) * 1000)
      }
      endGivenUp()
      try history.forEachDone(hedged: hedged) { attempt in
        let row = done(attempt)
        aggregate.done(
          attempt.task, on: row.system, began: row.began, ended: row.began + row.took,
          busy: figures.busy(attempt) * 1000)
      }
      aggregate.finish()
      course = .aggregate(aggregate)
    }
  }

  private mutating func done(_ attempt: RunHistory.Attempt) -> RunReport.AttemptRow {
    let row = attemptRow(attempt, reason: -1)
    figures.done(attempt, row)
    curve.add(from: row.began, to: row.began + max(0, row.took), doneBy: row.system)
    return row
  }

  private mutating func other(_ attempt: RunHistory.Attempt) -> RunReport.AttemptRow {
    let reason = attempt.reason.map { self.reason($0) } ?? -1
    let row = attemptRow(attempt, reason: reason)
    let end = clock.end(of: attempt)
    figures.other(attempt, row, endedAt: end)
    curve.add(from: row.began, to: end)
    guard attempt.ending == .failed || attempt.ending == .lost && attempt.hadStarted else {
      return row
    }
    guard !attempt.isTaskGivenUp else {
      // The last failure of a task that was given up is told with its end, and is no retry.
      if let lastFailure, lastFailure.task == attempt.task { curve.retried(at: lastFailure.at) }
      lastFailure = (attempt.task, end)
      return row
    }
    curve.retried(at: end)
    let failed = FailedAttempt(
      system: report.systems[row.system].name, reason: attempt.reason ?? "")
    notices.add(.retried(attempt.task, failed), at: end)
    return row
  }

  private func attemptRow(
    _ attempt: RunHistory.Attempt, reason: Int
  ) -> RunReport.AttemptRow {
    let began = clock.time(attempt.began)
    let isOpen = attempt.ended == nil && attempt.process == living
    return RunReport.AttemptRow(
      began: began, took: isOpen ? -1 : max(0, clock.end(of: attempt) - began), task: attempt.task,
      ordinal: attempt.ordinal, system: rows[attempt.system] ?? 0,
      ending: Int(ending(of: attempt).rawValue), reason: reason, isHedge: attempt.isHedge,
      endsSector: attempt.endsSector)
  }

  /// How an attempt ended. One without an end was lost with its process, unless that may still run.
  private func ending(of attempt: RunHistory.Attempt) -> RunHistory.Ending {
    attempt.ending == .none && attempt.process != living ? .lost : attempt.ending
  }

  /// Notes which part a task's sector belongs to.
  private mutating func locate(_ task: TaskID) throws {
    guard report.partsOverview != nil else { return }
    report.places[task.sector] = try history.part(ofSector: task.sector).map {
      PartPlace($0, sector: task.sector)
    }
  }

  private mutating func readFailures() throws {
    let failures = try history.failures(limit: RunReport.failureLimit)
    notices.leftOut += max(0, report.failed - failures.count)
    for (task, story) in failures {
      let time = figures.givenUpAt[task] ?? report.length
      try locate(task)
      notices.add(
        .failed(
          SectorFailure(task, of: report.places[task.sector]?.name, story)), at: time)
      report.failures.append(
        RunReport.Failure(
          task: task, at: time, attempts: story.attempts,
          reasons: story.failures.map {
            .init(system: row(named: $0.system), reason: reason($0.reason))
          }))
    }
  }

  // MARK: Systems

  private mutating func row(named name: String) -> Int {
    if let row = rowsByName[name] { return row }
    guard report.systems.count < RunReport.systemLimit - 1 else {
      if report.systems.count < RunReport.systemLimit {
        report.systems.append(RunReport.System(name: "other systems"))
      }
      return RunReport.systemLimit - 1
    }
    rowsByName[name] = report.systems.count
    report.systems.append(RunReport.System(name: name.cut))
    return report.systems.count - 1
  }

  private mutating func reason(_ text: String) -> Int {
    let text = text.cut(to: RunReport.reasonTextLimit)
    if let row = reasonRows[text] { return row }
    guard report.reasons.count < RunReport.reasonLimit - 1 else {
      if report.reasons.count < RunReport.reasonLimit { report.reasons.append("other reasons") }
      return RunReport.reasonLimit - 1
    }
    reasonRows[text] = report.reasons.count
    report.reasons.append(text)
    return report.reasons.count - 1
  }

  private mutating func add(_ change: RunHistory.Change) {
    guard let row = rows[change.system] else { return }
    let time = clock.time(change.at)
    if change.word == "connected" {
      report.systems[row].slots = change.slots ?? report.systems[row].slots
      report.systems[row].address = (change.address?.cut).flatMap { $0.isEmpty ? nil : $0 }
      report.systems[row].version = change.version?.cut
    }
    let note = change.note
    // The page knows of systems that serve again as of those that resume.
    let word = change.word == "serving" ? "resumed" : change.word
    report.systems[row].changes.append(.init(at: time, word: word, note: note))
    let name = report.systems[row].name
    if name == "local", change.word == "connected" { return }
    switch change.word {
    case "connected": notices.add("connected \(name)", at: time)
    case "disconnected":
      notices.add(EventText.disconnected(name, note), at: time, isFault: true)
    case "silent": notices.add("\(name) is silent (\(note))", at: time, isFault: true)
    case "leaving": notices.add(EventText.leaving(name), at: time)
    case "paused": notices.add("paused \(name) \(note)", at: time, isFault: true)
    case "unsuited": notices.add(EventText.unsuited(name, note), at: time, isFault: true)
    default: break
    }
  }
}

extension RunHistory.Change {
  /// The change's details, for people.
  fileprivate var note: String {
    switch word {
    case "silent": "for \(Duration.seconds(seconds ?? 0).inTenths) s"
    case "paused":
      "for \(Duration.seconds(seconds ?? 0).inTenths) s: "
        + ((failures ?? 0) == 0
          ? "its last process died young" : "it failed \(failures ?? 0) times in a row")
    default: (reason ?? "").cut
    }
  }
}

extension String {
  /// The text, cut if it is long.
  var cut: String { cut(to: RunReport.textLimit) }

  func cut(to limit: Int) -> String {
    unicodeScalars.count <= limit
      ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(limit - 1))) + "…"
  }
}
