import Foundation
package import SkyNetCore
import SkySQLite

/// A summary of a journal, for people.
package struct Overview: Sendable {
  /// One system's share of the work.
  package struct Share: Hashable, Sendable {
    package let system: String
    package let completed: Int
    /// The sum of its completed scans' seconds.
    package let seconds: Double
  }

  /// A task that was given up.
  package struct Failure: Hashable, Sendable {
    package let task: TaskID
    package let story: TaskStory
    /// Where in a growing job it is.
    package let place: PartPlace?
  }

  package let run: RunID
  package let job: JobIdentity
  /// When the journal was made; ISO 8601, UTC.
  package let created: String
  /// The version of the software that made it.
  package let software: String
  /// What the latest process recorded of its settings.
  package let setup: RunSetup?
  package let progress: JournalProgress
  /// The parts of a growing job; `nil` of a job with a fixed number of sectors.
  package let parts: PartsOverview?
  /// How many processes have opened the journal.
  package let starts: Int
  /// How many of these processes ended without recording it; the process that has the journal open
  /// now does not count.
  package let deaths: Int
  /// Whether a process has the journal open now.
  package let isInUse: Bool
  /// How many attempts began.
  package let attempts: Int
  /// How many attempts failed, or were lost with their system.
  package let failedAttempts: Int
  /// Each system's completed tasks, the largest share first. Systems with the same name count as one.
  package let shares: [Share]
  /// Tasks that were given up, by pass and sector, at most as many as the caller asked for.
  package let failures: [Failure]
}

extension Overview {
  /// Reads a journal, even one that is in use, without changing it. It blocks the thread.
  ///
  /// - Parameter failures: the most failures to read, of tasks and of parts each.
  /// - Throws: ``JournalError``.
  package static func read(_ path: String, failures limit: Int) throws -> Overview {
    // Looked up before the read: a process that opens the journal later is not the one that the
    // counts below leave out.
    let isInUse = try JournalFile.checkReadable(path)
    return try JournalReader.read(path) { db in
      try Inspection.checkContents(db, path)
      guard let job = try Inspection.job(db, path),
        let facts = try db.rows("SELECT created, software FROM job").next()
      else {
        throw JournalError.withoutJob(path)
      }
      func count(_ rows: String) throws -> Int { try Self.count(db, rows) }
      let failed = try GivenUpTasks.fetch(
        db, from: .first, to: .last, limit: limit, path: path)
      let open = try count("process WHERE ended IS NULL")
      let setup = try Inspection.latestSetup(db, path)
      let progress = try progress(db)
      return Overview(
        run: try Inspection.run(db, path), job: job.identity, created: try facts[0],
        software: try facts[1],
        setup: setup, progress: progress,
        parts: progress.isGrowing
          ? try PartsOverview(db, failures: limit, path: path) : nil,
        starts: try count("process"),
        deaths: max(0, isInUse ? open - 1 : open), isInUse: isInUse,
        attempts: try count("attempt") + count("result"),
        failedAttempts: try count("attempt WHERE ending IN ('failed', 'lost')"),
        shares: try shares(db),
        failures: try failed.map { task, story in
          let part = try PartTable.part(ofSector: task.sector, db, path)
          return Failure(
            task: task, story: story, place: part.map { PartPlace($0, sector: task.sector) })
        })
    }
  }

  private static func shares(_ db: Database) throws -> [Share] {
    try db.rows(
      """
      SELECT name, count(*), total(seconds) FROM result JOIN system ON number = result.system
      GROUP BY name ORDER BY 2 DESC, 1
      """
    ).map { row in
      Share(
        system: try row[0], completed: try row[1], seconds: try row[2])
    }
  }

  /// - Parameter rows: a table, and which of its rows count.
  private static func count(_ db: Database, _ rows: String) throws -> Int {
    try db.value("SELECT count(*) FROM \(rows)") ?? 0
  }

  static func progress(_ db: Database) throws -> JournalProgress {
    let known: Int? = try db.value("SELECT known FROM job")
    let isGrowing = known == Inspection.growing
    return JournalProgress(
      sectors: isGrowing ? try PartTable.sectorCount(db) : known ?? 0,
      done: try count(db, "result WHERE ends"), failed: try count(db, "given_up"),
      neverMade: isGrowing ? try PartTable.neverMadeCount(db) : 0,
      isResumed: try count(db, "process") > 0, isGrowing: isGrowing)
  }
}
