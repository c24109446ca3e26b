import GRDB
import SkyNetCore

extension PastTasks {
  /// How many attempts earlier processes lost with a remote system or with themselves. Unlike the
  /// stories of open tasks, this includes tasks that are done by now.
  ///
  /// - Throws: ``JournalError`` for a row with an impossible value; `DatabaseError`.
  func losses() throws -> Losses {
    let attempts = try Int.fetchOne(
      db,
      sql: """
        SELECT (SELECT count(*) FROM attempt WHERE process < ?1)
          + (SELECT count(*) FROM result WHERE process < ?1)
        """, arguments: [process])
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
      arguments: [process, AttemptOutcome.lost(reason: "", hadStarted: true).word])
    var lost: [Incarnation: Int] = [:]
    for row in rows { lost[try incarnation(row.value(0, path))] = try row.value(1, path) }
    return Losses(attempts: attempts ?? 0, bySystem: lost)
  }
}
