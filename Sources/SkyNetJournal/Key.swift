import GRDB
import SkyNetCore

/// A task's place in a journal: its pass and sector in one number, in their order.
///
/// Rows that are found by one number, and mostly come in its order, cost SQLite half of what those
/// with two cost.
struct Key: Hashable, Comparable {
  /// How many bits are the sector's; the pass has the rest.
  static let sectorBits = 40

  /// Before all tasks, and after them.
  static let first = Key(number: -1)
  static let last = Key(number: .max)

  let number: Int

  private init(number: Int) { self.number = number }

  /// - Throws: `DatabaseError` for a pass or a sector that no job comes to.
  init(_ task: TaskID) throws {
    guard task.sector >= 0, task.sector >> Self.sectorBits == 0,
      task.pass >= 0, task.pass >> (62 - Self.sectorBits) == 0
    else {
      throw DatabaseError(
        resultCode: .SQLITE_RANGE,
        message: "there is no room for sector \(task.sector) of pass \(task.pass)")
    }
    number = task.pass << Self.sectorBits | task.sector
  }

  /// The one of a row.
  init(row number: Int) { self.number = number }

  var task: TaskID {
    TaskID(pass: number >> Self.sectorBits, sector: number & (1 << Self.sectorBits - 1))
  }

  static func < (a: Key, b: Key) -> Bool { a.number < b.number }
}
