import CSQLite
import SkyNetCore
import SkySQLite

/// Writes the rows of `part`. Each input of a program is a part, so the statements are kept.
enum PartRows {
  /// Records a part, or replaces the one of its number.
  ///
  /// - Throws: `DatabaseError`, also if the part cannot be one of the job's: no later process could read such a
  ///   journal.
  static func write(_ part: JobPart, _ db: Database) throws {
    try check(part, db)
    let insert = try db.cachedStatement(
      """
      INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (number) DO UPDATE SET first = excluded.first, sectors = excluded.sectors,
        name = excluded.name, facts = excluded.facts, outcome = excluded.outcome
      """)
    try insert.execute(
      part.number, part.sectors.lowerBound, part.sectors.count,
      part.name.bounded(to: RowBounds.longestPartName), part.facts, part.outcome)
  }

  /// Removes a part, and all that is recorded of its sectors.
  ///
  /// - Returns: the part's sectors; `nil` if there is no such part.
  /// - Throws: `DatabaseError`.
  static func drop(_ number: Int, _ db: Database) throws -> Range<Int>? {
    guard let sectors = try sectors(of: number, db) else { return nil }
    try db.execute("DELETE FROM part WHERE number = ?", number)
    for table in ["attempt", "result", "given_up"] {
      let passes = SectorKeys(sectors, in: [table])
      var last = Key.first
      while let keys = try passes.next(after: last, db) {
        try db.execute(
          "DELETE FROM \(table) WHERE task > ? AND task <= ?", keys.before.number, keys.last.number)
        last = keys.last
      }
    }
    return sectors
  }

  private static func check(_ part: JobPart, _ db: Database) throws {
    func fault(_ text: String) -> DatabaseError {
      DatabaseError(SQLITE_CONSTRAINT, "part \(part.number) \(text)")
    }
    guard try db.cachedStatement("SELECT sectors FROM job").value() == Inspection.growing else {
      throw fault("is of a job that does not grow")
    }
    guard (0...RowBounds.mostNumber).contains(part.number), part.sectors.lowerBound >= 0,
      part.sectors.upperBound <= RowBounds.mostSectors
    else { throw fault("has a number or sectors that no job has") }
    guard part.facts.unicodeScalars.count <= RowBounds.longestReason,
      part.outcome?.unicodeScalars.count ?? 0 <= RowBounds.longestReason
    else { throw fault("has facts or an outcome that are too long") }
    if let recorded = try sectors(of: part.number, db), !recorded.isEmpty {
      guard recorded.clamped(to: part.sectors) == recorded else {
        throw fault("has lost sectors")
      }
    }
    let end: Int? = try db.cachedStatement("SELECT \(PartTable.end(ofPartBefore: "?"))")
      .value(part.number)
    let next: Int? = try db.cachedStatement(
      "SELECT first FROM part WHERE number > ? ORDER BY number LIMIT 1"
    ).value(part.number)
    guard end ?? 0 <= part.sectors.lowerBound, part.sectors.upperBound <= next ?? .max else {
      throw fault("has sectors that are not between those of its neighbours")
    }
  }

  private static func sectors(of number: Int, _ db: Database) throws -> Range<Int>? {
    try db.cachedStatement("SELECT first, first + sectors FROM part WHERE number = ?")
      .rows(number).next().map { row in
        let (first, end): (Int, Int) = (try row[0], try row[1])
        return first..<end
      }
  }
}
