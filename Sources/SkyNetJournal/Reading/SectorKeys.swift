import SkyNetCore
import SkySQLite

/// Finds the keys that the rows of a range of sectors have, pass by pass.
///
/// Keys are ordered by pass, then by sector, so the sectors have one range of keys in each pass. From a row
/// outside of these ranges the search goes on at the beginning of the next range: some three lookups for each pass that
/// has any rows, however many rows there are.
struct SectorKeys {
  private let sectors: Range<Int>
  private let firstKey: String

  /// - Parameter tables: the tables whose rows count.
  init(_ sectors: Range<Int>, in tables: [String] = ["result", "attempt", "given_up"]) {
    self.sectors = sectors.clamped(to: Key.sectors)
    let keys = tables.map { "SELECT task FROM \($0) WHERE task > ?1 ORDER BY task LIMIT 1" }
    firstKey =
      "SELECT min(task) FROM (\(keys.map { "SELECT * FROM (\($0))" }.joined(separator: " UNION ALL ")))"
  }

  /// The keys, after a key, of the next pass that has rows of the sectors; `nil` if there is none.
  ///
  /// - Throws: `DatabaseError`.
  func next(after key: Key, _ db: Database) throws -> (before: Key, last: Key)? {
    guard !sectors.isEmpty else { return nil }
    let statement = try db.cachedStatement(firstKey)
    var key = key
    while let row = try statement.value(key.number).map(Key.init(row:)) {
      let keys = Key.keys(ofPass: row.task.pass, sectors: sectors)
      if row <= keys.before {
        key = keys.before
      } else if row > keys.last {
        key = Key.keys(ofPass: row.task.pass, sectors: Key.sectors).last
      } else {
        return (max(key, keys.before), keys.last)
      }
    }
    return nil
  }
}
