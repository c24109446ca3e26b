import Foundation
package import SkyNetCore
import SkySQLite

/// All that a journal tells of its run's course, for people who ask afterwards. Rows are read one by one, so
/// that a long run takes no more memory than a short one.
package struct RunHistory {
  /// One process of the run. The journal's file has its dates in whole seconds.
  package struct Process: Hashable, Sendable {
    package let number: Int
    /// Seconds since 1970; `nil` if the date cannot be read.
    package let started: Double?
    /// When the process recorded its end; `nil` if it died, or runs.
    package let ended: Double?
  }

  /// One process of a cluster that scanned for the run, or was connected.
  package struct System: Hashable, Sendable {
    package let number: Int
    package let name: String
  }

  /// How an attempt ended, as far as the journal knows. The raw values are those of the page (`lanes.js`).
  package enum Ending: UInt8, Hashable, Sendable {
    case done, failed, lost, withdrawn
    /// The attempt was in flight when its process died, or it still is.
    case none
  }

  /// An attempt at a task.
  package struct Attempt: Hashable, Sendable {
    package let task: TaskID
    /// The number of its process, and of its system.
    package let process: Int
    package let system: Int
    /// Seconds since 1970.
    package let began: Double
    package let ended: Double?
    package let ending: Ending
    package let reason: String?
    /// Whether its scan is known to have begun; only lost attempts tell.
    package let hadStarted: Bool
    /// How long the scan ran, in seconds; `nil` if that is not known.
    package let seconds: Double?
    /// Its place among the task's attempts, from 1. After a hedge it may not be exact.
    package let ordinal: Int
    /// Whether another attempt at the task was in flight when it began.
    package let isHedge: Bool
    /// Whether it gave the sector its result.
    package let endsSector: Bool
    /// Whether the task has its output by now, or was given up.
    package let isTaskDone: Bool
    package let isTaskGivenUp: Bool
  }

  /// A change of a system.
  package struct Change: Hashable, Sendable {
    package let process: Int
    package let system: Int
    /// Seconds since 1970.
    package let at: Double
    /// `connected`, `disconnected` and so on; see `docs/journal.md`.
    package let word: String
    package let reason: String?
    package let seconds: Double?
    package let failures: Int?
    package let address: String?
    package let slots: Int?
    package let version: String?
  }

  package let job: JobIdentity
  /// The sectors' numbers are less than this. A growing job may have gaps between its parts; ``progress`` has
  /// the count.
  package let sectors: Int
  /// Whether the job adds parts while it runs.
  package var isGrowing: Bool { progress.isGrowing }
  package let run: RunID
  /// The software that made the journal.
  package let software: String
  /// What the latest process recorded of its settings.
  package let setup: RunSetup?
  /// Whether a process has the journal open now.
  package let isInUse: Bool
  package let progress: JournalProgress
  package let processes: [Process]

  let db: Database
  let path: String

  /// Reads a journal, even one that is in use, without changing it. All that `body` reads is of one moment.
  /// It blocks the thread.
  ///
  /// - Throws: ``JournalError``; what `body` throws.
  package static func read<T>(_ path: String, _ body: (RunHistory) throws -> T) throws -> T {
    let isInUse = try JournalFile.checkReadable(path)
    return try JournalReader.read(path) { db in
      try Inspection.checkContents(db, path)
      return try body(RunHistory(db, path, isInUse: isInUse))
    }
  }

  private init(_ db: Database, _ path: String, isInUse: Bool) throws {
    guard let job = try Inspection.job(db, path) else { throw JournalError.withoutJob(path) }
    self.db = db
    self.path = path
    self.isInUse = isInUse
    self.job = job.identity
    sectors =
      job.sectors == nil
      ? try PartTable.sectorsEnd(db) : try db.value("SELECT extent FROM job") ?? 0
    run = try Inspection.run(db, path)
    software = try db.value("SELECT software FROM job") ?? ""
    setup = try Inspection.latestSetup(db, path)
    progress = try Overview.progress(db)
    processes = try db.rows("SELECT number, started, ended FROM process ORDER BY 1")
      .map { row in
        Process(
          number: try row[0], started: Self.seconds(try row[1] as String),
          ended: Self.seconds(try row[2]))
      }
  }

  /// A date as the journal writes it, in seconds since 1970.
  private static func seconds(_ date: String?) -> Double? {
    date.flatMap { try? Date($0, strategy: .iso8601).timeIntervalSince1970 }
  }

  // MARK: Parts

  /// The parts of a growing job, by number.
  package func forEachPart(_ body: (JobPart) throws -> Void) throws {
    try PartTable.forEach(db, path, body)
  }

  /// How the parts of a growing job ended; `nil` of a job with a fixed number of sectors.
  ///
  /// - Parameter limit: the most failures to read.
  package func partsOverview(failures limit: Int = 0) throws -> PartsOverview? {
    isGrowing ? try PartsOverview(db, failures: limit, path: path) : nil
  }

  /// The part of a growing job that has a sector; `nil` if none has it.
  package func part(ofSector sector: Int) throws -> JobPart? {
    try PartTable.part(ofSector: sector, db, path)
  }

  // MARK: Rows

  /// The attempts of one process of the run on one system: how many, the first beginning, and the last time
  /// that one of them is known to have been there.
  package struct Extent: Hashable, Sendable {
    package let process: Int
    package let system: Int
    package let count: Int
    /// Seconds since 1970.
    package let first: Double
    package let last: Double
  }

  package func extents() throws -> [Extent] {
    try db.rows(
      """
      SELECT process, system, sum(count), min(first), max(last) FROM (
        SELECT process, system, count(*) AS count, min(began) AS first, max(ended) AS last
          FROM result GROUP BY process, system
        UNION ALL
        SELECT process, system, count(*), min(began), max(coalesce(ended, began))
          FROM attempt GROUP BY process, system)
      GROUP BY process, system ORDER BY process, system
      """
    ).map { row in
      Extent(
        process: try row[0], system: try row[1], count: try row[2], first: try row[3],
        last: try row[4])
    }
  }

  /// The largest number of a pass that has an attempt.
  package func lastPass() throws -> Int {
    let number: Int? = try db.value(
      """
      SELECT max(coalesce((SELECT max(task) FROM result), 0),
        coalesce((SELECT max(task) FROM attempt), 0))
      """)
    return Key(row: number ?? 0).task.pass
  }

  package func forEachSystem(_ body: (System) throws -> Void) throws {
    let rows = try db.rows("SELECT number, name FROM system ORDER BY number")
    while let row = try rows.next() { try body(System(number: row[0], name: row[1])) }
  }

  /// The changes of systems, in the order in which they were recorded.
  package func forEachChange(_ body: (Change) throws -> Void) throws {
    let rows = try db.rows(
      """
      SELECT process, system, at, change, reason, seconds, failures, address, slots, version
      FROM presence ORDER BY number
      """)
    while let row = try rows.next() {
      try body(
        Change(
          process: row[0], system: row[1], at: row[2], word: row[3], reason: row[4],
          seconds: row[5], failures: row[6], address: row[7], slots: row[8], version: row[9]))
    }
  }

  /// The tasks that were given up, by pass and sector.
  package func failures(limit: Int) throws -> [(id: TaskID, story: TaskStory)] {
    try GivenUpTasks.fetch(db, from: .first, to: .last, limit: limit, path: path)
  }

  /// The attempts that brought an output, by pass and sector.
  ///
  /// - Parameter hedged: the tasks whose result came from a hedge, as ``forEachOther(_:)`` tells.
  package func forEachDone(
    hedged: Set<TaskID> = [], _ body: (Attempt) throws -> Void
  ) throws {
    let rows = try db.rows(
      """
      SELECT task, process, system, began, ended, seconds, attempts, ends
      FROM result ORDER BY task
      """)
    while let row = try rows.next() {
      let task = Key(row: try row[0]).task
      try body(
        Attempt(
          task: task, process: row[1], system: row[2], began: row[3], ended: row[4], ending: .done,
          reason: nil, hadStarted: true, seconds: row[5], ordinal: max(1, row[6]),
          isHedge: !hedged.isEmpty && hedged.contains(task), endsSector: row[7],
          isTaskDone: true, isTaskGivenUp: false))
    }
  }

  /// The attempts that brought no output, by pass and sector.
  ///
  /// - Returns: the tasks whose result came from a hedge.
  package func forEachOther(_ body: (Attempt) throws -> Void) throws -> Set<TaskID> {
    let rows = try db.rows(
      """
      SELECT attempt.task, attempt.process, attempt.system, attempt.began, attempt.ended,
        ending, reason, had_started, attempt.seconds, result.began,
        given_up.task IS NOT NULL
      FROM attempt LEFT JOIN result ON result.task = attempt.task
        LEFT JOIN given_up ON given_up.task = attempt.task
      ORDER BY attempt.task, attempt.process, attempt.id
      """)
    var hedged: Set<TaskID> = []
    /// The attempts of the task so far, and when the last of them ended.
    var (last, count, busyUntil) = (TaskID?.none, 0, -Double.infinity)
    while let row = try rows.next() {
      let task = Key(row: try row[0]).task
      if task != last { (last, count, busyUntil) = (task, 0, -.infinity) }
      count += 1
      let began: Double = try row[3]
      let ended: Double? = try row[4]
      let resultBegan: Double? = try row[9]
      let ending = Self.ending(try row[5])
      // Only a withdrawn attempt can have been in flight beside the one that brought the output.
      if let resultBegan, let ended, ending == .withdrawn, began < resultBegan, resultBegan < ended
      {
        hedged.insert(task)
      }
      let isHedge =
        began < busyUntil
        || resultBegan.map { $0 < began && ending == .withdrawn && !hedged.contains(task) } ?? false
      try body(
        Attempt(
          task: task, process: row[1], system: row[2], began: began,
          ended: ended, ending: ending, reason: row[6],
          hadStarted: row[7] ?? false, seconds: row[8],
          ordinal: count, isHedge: isHedge, endsSector: false,
          isTaskDone: resultBegan != nil, isTaskGivenUp: row[10]))
      busyUntil = max(busyUntil, ended ?? began)
    }
    return hedged
  }

  static func ending(_ word: String?) -> Ending {
    switch word {
    case "succeeded": .done
    case "failed": .failed
    case "lost": .lost
    case "withdrawn": .withdrawn
    default: .none
    }
  }

  // MARK: Outputs

  /// The outputs of the tasks before a pass, by pass and sector, one by one, with the times when their attempts
  /// ended, in seconds since 1970.
  ///
  /// - Parameter sectors: only tasks of these sectors count; with `nil`, those of all.
  /// - Throws: ``JournalError`` if an output cannot be read; what `body` throws.
  package func forEachOutput<Output: Decodable & Sendable>(
    of type: Output.Type, before pass: Int, in sectors: Range<Int>? = nil,
    _ body: (_ task: TaskID, _ output: Output, _ ended: Double) throws -> Void
  ) throws {
    let decoder = JSONDecoder.ofValues()
    let passes = SectorKeys(sectors ?? Key.sectors, in: ["result"])
    var last = Key.first
    while let keys = try passes.next(after: last, db), keys.last.task.pass < pass {
      last = keys.last
      let rows = try db.rows(
        "SELECT task, output, ended FROM result WHERE task > ? AND task <= ? ORDER BY task",
        keys.before.number, keys.last.number)
      while let row = try rows.next() {
        let task = Key(row: try row[0]).task
        try body(task, try output(row[1], of: task, type, decoder), row[2])
      }
    }
  }

  /// How many tasks of a pass have their output.
  ///
  /// - Parameter sectors: only tasks of these sectors count; with `nil`, those of all.
  package func outputCount(ofPass pass: Int, in sectors: Range<Int>? = nil) throws -> Int {
    let sectors = sectors?.clamped(to: Key.sectors) ?? Key.sectors
    guard !sectors.isEmpty else { return 0 }
    let keys = Key.keys(ofPass: pass, sectors: sectors)
    return try db.value(
      "SELECT count(*) FROM result WHERE task > ? AND task <= ?", keys.before.number,
      keys.last.number) ?? 0
  }

  /// The output of one task; `nil` if it has none.
  package func output<Output: Decodable>(
    of task: TaskID, as type: Output.Type
  ) throws -> Output? {
    try db.value("SELECT output FROM result WHERE task = ?", Key(task).number).map {
      try output($0, of: task, type, .ofValues())
    }
  }

  private func output<Output: Decodable>(
    _ text: String, of task: TaskID, _ type: Output.Type, _ decoder: JSONDecoder
  ) throws -> Output {
    do {
      return try OutputCoding.output(of: type, in: text, decoder)
    } catch {
      throw JournalError.damaged(path, "the output of sector \(task.sector) cannot be read")
    }
  }
}
