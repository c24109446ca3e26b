import CSQLite
import SkyNetCore
import SkySQLite

/// A task's key in a journal: its pass and sector in one number, ordered by pass, then sector.
///
/// Rows with one number as their key, mostly written in ascending order, cost SQLite half as much
/// as rows with two.
struct Key: Hashable, Comparable {
  /// How many bits hold the sector; the others hold the pass.
  static let sectorBits = 40

  /// Less than every task's key, and not less than any.
  static let first = Key(number: -1)
  static let last = Key(number: .max)

  let number: Int

  private init(number: Int) { self.number = number }

  /// - Throws: `DatabaseError` for a pass or a sector beyond those of any job.
  init(_ task: TaskID) throws {
    guard task.sector >= 0, task.sector >> Self.sectorBits == 0,
      task.pass >= 0, task.pass >> (62 - Self.sectorBits) == 0
    else {
      throw DatabaseError(
        SQLITE_RANGE, "there is no room for sector \(task.sector) of pass \(task.pass)")
    }
    number = task.pass << Self.sectorBits | task.sector
  }

  /// The keys of a pass over a range of sectors: those after `before` up to `last`.
  ///
  /// - Parameter sectors: not empty, of sectors that a job may have.
  static func keys(ofPass pass: Int, sectors: Range<Int>) -> (before: Key, last: Key) {
    let first = pass << sectorBits
    return (
      Key(number: first + sectors.lowerBound - 1), Key(number: first + sectors.upperBound - 1)
    )
  }

  /// All sectors that a job may have.
  static let sectors = 0..<1 << sectorBits

  /// The key that a row has.
  init(row number: Int) { self.number = number }

  var task: TaskID {
    TaskID(pass: number >> Self.sectorBits, sector: number & (1 << Self.sectorBits - 1))
  }

  static func < (a: Key, b: Key) -> Bool { a.number < b.number }
}
