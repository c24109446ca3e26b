import SkyNetCore
import SkySQLite

extension PastTasks {
  /// How many attempts earlier processes lost with a remote system or with themselves. Unlike the
  /// stories of open tasks, this includes tasks that are done by now.
  ///
  /// - Throws: ``JournalError`` for a row with an impossible value; `DatabaseError`.
  func losses() throws -> Losses {
    let attempts: Int? = try db.value(
      """
      SELECT (SELECT count(*) FROM attempt WHERE process < ?1)
        + (SELECT count(*) FROM result WHERE process < ?1)
      """, process)
    let rows = try db.rows(
      """
      SELECT incarnation, count(*)
      FROM attempt
        JOIN system ON system.number = attempt.system
        JOIN process ON process.number = attempt.process
      WHERE process < ? AND (ending = ? AND had_started
        OR ending IS NULL AND local AND process.ended IS NULL)
      GROUP BY incarnation
      """, process, AttemptOutcome.lost(reason: "", hadStarted: true).word)
    var lost: [Incarnation: Int] = [:]
    while let row = try rows.next() { lost[try incarnation(row[0])] = try row[1] as Int }
    return Losses(attempts: attempts ?? 0, bySystem: lost)
  }
}
