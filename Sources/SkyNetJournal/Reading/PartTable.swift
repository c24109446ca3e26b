import SkyNetCore
import SkySQLite

/// Reads the parts of a growing job.
///
/// Parts are in the same order by number and by sector, so the part of a sector is the last one that begins at
/// it or before it. The index gives it at once.
enum PartTable {
  private static let columns = "number, first, sectors, name, facts, outcome"

  /// All parts, by number.
  ///
  /// - Throws: ``JournalError`` for a row with an impossible value; `DatabaseError`.
  static func all(_ db: Database, _ path: String) throws -> [JobPart] {
    var parts: [JobPart] = []
    try forEach(db, path) { parts.append($0) }
    return parts
  }

  static func forEach(
    _ db: Database, _ path: String, _ body: (JobPart) throws -> Void
  ) throws {
    let rows = try db.rows("SELECT \(columns) FROM part ORDER BY number")
    while let row = try rows.next() { try body(part(row, path)) }
  }

  /// The part that has a sector; `nil` if none has it.
  static func part(ofSector sector: Int, _ db: Database, _ path: String) throws -> JobPart? {
    let statement = try db.cachedStatement(
      "SELECT \(columns) FROM part WHERE first <= ? ORDER BY first DESC, number DESC LIMIT 1")
    let last = try statement.rows(sector).next().map { try part($0, path) }
    return last.flatMap { $0.sectors.contains(sector) ? $0 : nil }
  }

  /// How many sectors all parts have together.
  static func sectorCount(_ db: Database) throws -> Int {
    try db.value("SELECT sum(sectors) FROM part") ?? 0
  }

  /// The sector after the last one of all parts.
  static func sectorsEnd(_ db: Database) throws -> Int {
    try db.value("SELECT first + sectors FROM part ORDER BY number DESC LIMIT 1") ?? 0
  }

  /// How many sectors of parts that ended have neither their result nor were given up. Such a part has a sector that
  /// was given up, so few parts are looked at.
  static func neverMadeCount(_ db: Database) throws -> Int {
    let parts = try db.rows(
      """
      SELECT first, first + sectors FROM part WHERE outcome IS NOT NULL AND number IN
        (SELECT \(number(ofPartWith: "given_up.sector")) FROM given_up)
      """)
    var count = 0
    while let part = try parts.next() {
      let (first, end): (Int, Int) = (try part[0], try part[1])
      let sectors = first..<end
      var ended: Set<Int> = []
      let passes = SectorKeys(sectors, in: ["result", "given_up"])
      var last = Key.first
      while let keys = try passes.next(after: last, db) {
        last = keys.last
        ended.formUnion(
          try db.rows(
            """
            SELECT sector FROM result WHERE task > ?1 AND task <= ?2 AND ends
            UNION ALL SELECT sector FROM given_up WHERE task > ?1 AND task <= ?2
            """, keys.before.number, keys.last.number
          ).map { try $0[0] })
      }
      count += sectors.count - ended.count
    }
    return count
  }

  /// A part with a sector that failed has not ended any more when that sector is to be tried again.
  static func reopenFailed(_ db: Database) throws {
    let number = number(ofPartWith: "given_up.sector")
    try db.execute(
      "UPDATE part SET outcome = NULL WHERE number IN (SELECT \(number) FROM given_up)")
  }

  private static func part(_ row: Row, _ path: String) throws -> JobPart {
    let first: Int = try row[1]
    let (end, overflows) = first.addingReportingOverflow(try row[2])
    guard !overflows, end >= first else {
      throw JournalError.damaged(path, "a part has sectors that no job has")
    }
    return JobPart(
      number: try row[0], sectors: first..<end, name: try row[3], facts: try row[4],
      outcome: try row[5])
  }

  // MARK: SQL

  /// The number of the part that begins at a sector or last before it.
  private static func number(ofPartWith sector: String) -> String {
    "(SELECT number FROM part WHERE first <= \(sector) ORDER BY first DESC, number DESC LIMIT 1)"
  }

  /// The sector after the last one of the part that begins at a sector or last before it. It is greater than the
  /// sector if the part has the sector, and NULL if there is no such part.
  static func end(ofPartWith sector: String) -> String {
    """
    (SELECT first + part.sectors FROM part WHERE first <= \(sector)
      ORDER BY first DESC, number DESC LIMIT 1)
    """
  }

  /// The sector after the last one of the part with the next smaller number; 0 if there is none.
  static func end(ofPartBefore number: String) -> String {
    """
    coalesce((SELECT other.first + other.sectors FROM part AS other WHERE other.number < \(number)
      ORDER BY other.number DESC LIMIT 1), 0)
    """
  }
}
