import Foundation
import GRDB
public import SkyNetCore

/// What a journal holds, for people.
public struct Overview: Sendable {
  public struct Share: Hashable, Sendable {
    public let system: String
    public let completed: Int
    /// What its scans took together, of those that were completed.
    public let seconds: Double
  }

  public struct Failure: Hashable, Sendable {
    public let task: TaskID
    public let story: TaskStory
  }

  public let job: JobIdentity
  /// When the journal was made; ISO 8601, UTC.
  public let created: String
  /// The version of the software that made it.
  public let software: String
  public let progress: JournalProgress
  /// Processes that had it open.
  public let starts: Int
  /// Those of them that never said that they end; the one that has it open now is not counted.
  public let deaths: Int
  /// Whether a process has it open now.
  public let isInUse: Bool
  /// Attempts begun.
  public let attempts: Int
  /// Attempts that failed, or were lost with their system.
  public let failedAttempts: Int
  /// What each system completed, the largest share first; systems of one name count as one.
  public let shares: [Share]
  /// Tasks that were given up, at most as many as were asked for, by pass and sector.
  public let failures: [Failure]
}

extension Overview {
  /// Reads a journal, also one that is in use, and changes nothing. It blocks the thread.
  ///
  /// - Parameter failures: the most failures to read.
  /// - Throws: ``JournalError``.
  public static func read(_ path: String, failures limit: Int) throws -> Overview {
    // Whoever opens it later is not the one that is counted as having it open.
    let isInUse = try JournalFile.checkReadable(path)
    return try JournalReader.read(path) { db in
      try Inspection.checkContents(db, path)
      guard let job = try Inspection.job(db, path),
        let facts = try Row.fetchOne(db, sql: "SELECT created, software FROM job")
      else {
        throw JournalError(
          .damaged, path, "there is no job in it: its process ended before it began; use it again")
      }
      func count(_ row: Row?, _ index: Int) throws -> Int { try row?.optional(index, path) ?? 0 }
      let processes = try Row.fetchOne(
        db, sql: "SELECT count(*), count(*) - count(ended) FROM process")
      let attempts = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*) + (SELECT count(*) FROM result), sum(ending IN ('failed', 'lost'))
          FROM attempt
          """)
      let failed = try GivenUp.fetch(
        db, from: .first, to: .last, limit: limit, path: path)
      let open = try count(processes, 1)
      return Overview(
        job: job.identity, created: try facts.value(0, path), software: try facts.value(1, path),
        progress: try progress(db), starts: try count(processes, 0),
        deaths: max(0, isInUse ? open - 1 : open), isInUse: isInUse,
        attempts: try count(attempts, 0), failedAttempts: try count(attempts, 1),
        shares: try shares(db, path),
        failures: failed.map { Failure(task: $0.id, story: $0.story) })
    }
  }

  private static func shares(_ db: Database, _ path: String) throws -> [Share] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT name, count(*), total(seconds) FROM result JOIN system ON number = result.system
        GROUP BY name ORDER BY 2 DESC, 1
        """
    ).map { row in
      Share(
        system: try row.value(0, path), completed: try row.value(1, path),
        seconds: try row.value(2, path))
    }
  }

  static func progress(_ db: Database) throws -> JournalProgress {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT (SELECT sectors FROM job),
          (SELECT count(*) FROM result WHERE ends),
          (SELECT count(*) FROM given_up), (SELECT count(*) FROM process)
        """)
    return JournalProgress(
      sectors: row?[0] ?? 0, done: row?[1] ?? 0, failed: row?[2] ?? 0,
      isResumed: (row?[3] ?? 0) > 0)
  }
}
