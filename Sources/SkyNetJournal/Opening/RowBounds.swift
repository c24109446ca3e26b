import GRDB

/// What the rows of a journal may say, so that the code that counts with them needs no bounds.
///
/// SQLite's own check has seen by then that every value is of its column's type.
struct RowBounds {
  private struct Bound {
    let words: String
    /// What holds for every row, as SQL.
    let condition: String

    init(_ words: String, _ condition: String) {
      self.words = words
      self.condition = condition
    }
  }

  /// The most attempts of one task: far more than any engagement makes.
  static let mostAttempts = 1_000_000
  /// The longest that anything can have taken, in seconds: some thirty years.
  static let mostSeconds = 1e9
  /// The most rows of processes and systems, by their numbers.
  private static let mostNumber = 1 << 31
  /// The longest names, and the longest reasons, in characters.
  private static let longestName = 1000
  private static let longestReason = 1 << 20

  private let table: String
  private let bounds: [Bound]

  /// - Throws: ``JournalError`` with what is wrong first; `DatabaseError`.
  static func check(_ db: Database, path: String) throws {
    for table in all { try table.check(db, path) }
  }

  /// One pass over the table.
  private func check(_ db: Database, _ path: String) throws {
    let cases = bounds.enumerated()
      .map { "WHEN (\($1.condition)) IS NOT TRUE THEN \($0)" }.joined(separator: " ")
    let all = bounds.map { "(\($0.condition))" }.joined(separator: " AND ")
    let broken = try Int.fetchOne(
      db, sql: "SELECT CASE \(cases) END FROM \(table) WHERE (\(all)) IS NOT TRUE LIMIT 1")
    if let broken { throw JournalError.damaged(path, bounds[broken].words) }
  }

  private static let all = [
    RowBounds(
      table: "job",
      bounds: [
        Bound(
          "its job has a number of sectors that no job has",
          "sectors BETWEEN 1 AND \(1 << Key.sectorBits - 1)"),
        Bound("its job is told in too many words", "length(identity) <= \(longestReason)"),
        Bound("a date in it is none", "length(created) <= 64"),
        Bound("a version in it is none", "length(software) <= 64"),
      ]),
    RowBounds(
      table: "process",
      bounds: [
        Bound("a process has an impossible number", isNumber("number")),
        Bound("a process has an impossible id", "pid BETWEEN 0 AND \(Int32.max)"),
        Bound("a version in it is none", "length(software) <= 64"),
        Bound(
          "a date in it is none",
          "length(started) <= 64 AND (ended IS NULL OR length(ended) <= 64)"),
      ]),
    RowBounds(
      table: "system",
      bounds: [
        Bound("a system has an impossible number", isNumber("number")),
        Bound("a system's name is too long", "length(name) <= \(longestName)"),
        Bound("a system's incarnation is none", "length(incarnation) = 36"),
      ]),
    RowBounds(
      table: "attempt",
      bounds: tasks + origin + [
        Bound("an attempt has an impossible number", "id >= 0"),
        Bound("an attempt is neither here nor elsewhere", "local IN (0, 1)"),
        Bound("an attempt's time is impossible", times),
        Bound(
          "an attempt's ending is none",
          "ending IS NULL OR ending IN ('succeeded', 'failed', 'lost', 'withdrawn')"),
        Bound(
          "an attempt's reason is too long",
          "reason IS NULL OR length(reason) <= \(longestReason)"),
        Bound(
          "an attempt has started in an impossible way",
          "had_started IS NULL OR had_started IN (0, 1)"),
        Bound("a scan's length is impossible", "seconds IS NULL OR \(isLength)"),
      ]),
    RowBounds(
      table: "result",
      bounds: tasks + origin + [
        Bound("an output's time is impossible", times),
        Bound("a scan's length is impossible", isLength),
        Bound("a sector has too many attempts", "attempts BETWEEN 0 AND \(mostAttempts)"),
        Bound("an output ends its sector in an impossible way", "ends IN (0, 1)"),
      ]),
    RowBounds(
      table: "given_up",
      bounds: tasks + [Bound("a story is too long", "length(story) <= 16 * \(longestReason)")]),
  ]

  private static let tasks = [
    Bound(
      "it has a sector that its job does not have",
      "task BETWEEN 0 AND \(1 << 62 - 1) AND sector < (SELECT sectors FROM job)")
  ]

  private static let origin = [
    Bound(
      "it has work of a process that it does not know", "process IN (SELECT number FROM process)"),
    Bound("it has work of a system that it does not know", "system IN (SELECT number FROM system)"),
  ]

  private static let isLength = "seconds BETWEEN 0 AND \(mostSeconds)"
  /// Whatever a wall clock may say, in seconds since 1970.
  private static let times =
    "began BETWEEN -1e12 AND 1e12 AND (ended IS NULL OR ended BETWEEN -1e12 AND 1e12)"

  private static func isNumber(_ column: String) -> String {
    "\(column) BETWEEN 1 AND \(mostNumber)"
  }
}
