import GRDB
import SkyNetCore

/// Reads how often earlier processes lost attempts with systems, and with themselves.
struct PastLosses {
  private let db: Database
  private let process: Int
  private let path: String

  init(_ db: Database, before process: Int, path: String) {
    self.db = db
    self.process = process
    self.path = path
  }

  /// - Throws: ``JournalError`` for a row that makes no sense; `DatabaseError`.
  func fetch() throws -> Losses {
    let attempts = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM attempt WHERE process < ?", arguments: [process])
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT incarnation, count(*)
        FROM attempt
          JOIN system ON system.number = attempt.system
          JOIN process ON process.number = attempt.process
        WHERE process < ? AND (ending = ? AND had_started
          OR ending IS NULL AND local AND process.ended IS NULL)
        GROUP BY incarnation
        """,
      arguments: [process, AttemptEnding.lost(reason: "", hadStarted: true).word])
    var lost: [Incarnation: Int] = [:]
    for row in rows {
      guard let incarnation = Incarnation(row[0] as String) else {
        throw JournalError.damaged(path, "\(row[0] as String) is no system's incarnation")
      }
      lost[incarnation] = row[1]
    }
    return Losses(attempts: attempts ?? 0, bySystem: lost)
  }
}
