import SkyNetCluster
import SkySQLite

/// The values that a journal's rows may have. Code that computes with them needs no checks of its
/// own.
///
/// SQLite's own check has found before that every value has its column's type.
struct RowBounds {
  private struct Bound {
    let fault: String
    /// The SQL condition that holds for every row.
    let condition: String

    init(_ fault: String, _ condition: String) {
      self.fault = fault
      self.condition = condition
    }
  }

  /// The most attempts of one task: far more than any engagement makes.
  static let mostAttempts = 1_000_000
  /// The longest duration of anything, in seconds: some thirty years.
  static let mostSeconds = 1e9
  /// The largest number of a process or a system.
  static let mostNumber = 1 << 31
  /// The longest names, and the longest reasons, in characters.
  static let longestName = 1000
  static let longestReason = 1 << 20
  /// The longest name of a part, which may be a path.
  static let longestPartName = 5000
  /// The most sectors of a job.
  static let mostSectors = 1 << Key.sectorBits - 1

  private let table: String
  private let bounds: [Bound]

  /// - Throws: ``JournalError`` with the first fault; `DatabaseError`.
  static func check(_ db: Database, path: String) throws {
    for table in all { try table.check(db, path) }
  }

  /// One pass over the table.
  private func check(_ db: Database, _ path: String) throws {
    let cases = bounds.enumerated()
      .map { "WHEN (\($1.condition)) IS NOT TRUE THEN \($0)" }.joined(separator: " ")
    let all = bounds.map { "(\($0.condition))" }.joined(separator: " AND ")
    let broken: Int? = try db.value(
      "SELECT CASE \(cases) END FROM \(table) WHERE (\(all)) IS NOT TRUE LIMIT 1")
    if let broken { throw JournalError.damaged(path, bounds[broken].fault) }
  }

  private static var all: [RowBounds] {
    [
      RowBounds(
        table: "job",
        bounds: [
          Bound("its run has no id", "EXISTS (SELECT 1 FROM run)"),
          Bound(
            "its job has a number of sectors that no job has",
            "sectors BETWEEN \(Inspection.growing) AND \(mostSectors) "
              + "AND extent BETWEEN sectors AND \(mostSectors) AND known BETWEEN sectors AND extent "
              + "AND (sectors <> \(Inspection.growing) OR extent = sectors)"),
          Bound("its description of the job is too long", "length(identity) <= \(longestReason)"),
          Bound("a date in it is not one", "length(created) <= 64"),
          Bound("a version in it is not one", "length(software) <= 64"),
        ]),
      // The sectors of a growing job's other rows are those of its parts.
      parts,
      RowBounds(
        table: "process",
        bounds: [
          Bound("a process has an impossible number", isNumber("number")),
          Bound("a process has an impossible id", "pid BETWEEN 0 AND \(Int32.max)"),
          Bound("a version in it is not one", "length(software) <= 64"),
          Bound(
            "a date in it is not one",
            "length(started) <= 64 AND (ended IS NULL OR length(ended) <= 64)"),
        ]),
      RowBounds(
        table: "system",
        bounds: [
          Bound("a system has an impossible number", isNumber("number")),
          Bound("a system's name is too long", "length(name) <= \(longestName)"),
          Bound("a system's incarnation is not a UUID", "length(incarnation) = 36"),
        ]),
      RowBounds(
        table: "attempt",
        bounds: tasks + origin + [
          Bound("an attempt has an impossible number", "id >= 0"),
          Bound("an attempt is neither local nor remote", "local IN (0, 1)"),
          Bound("an attempt's time is impossible", times),
          Bound(
            "an attempt's ending is not one",
            "ending IS NULL OR ending IN ('succeeded', 'failed', 'lost', 'withdrawn')"),
          Bound(
            "an attempt's reason is too long",
            "reason IS NULL OR length(reason) <= \(longestReason)"),
          Bound(
            "an attempt's start flag is neither 0 nor 1",
            "had_started IS NULL OR had_started IN (0, 1)"),
          Bound("a scan's length is impossible", "seconds IS NULL OR \(isLength)"),
        ]),
      RowBounds(
        table: "result",
        bounds: tasks + origin + [
          Bound("an output's time is impossible", times),
          Bound("a scan's length is impossible", isLength),
          Bound("a sector has too many attempts", "attempts BETWEEN 0 AND \(mostAttempts)"),
          Bound("an output's end flag is neither 0 nor 1", "ends IN (0, 1)"),
          Bound("an output's place is impossible", "place BETWEEN 0 AND \(1 << 62)"),
        ]),
      RowBounds(
        table: "given_up",
        bounds: tasks + [Bound("a story is too long", "length(story) <= 16 * \(longestReason)")]),
      RowBounds(
        table: "run",
        bounds: [
          Bound("its run's id is not one", "run NOT GLOB '*[^0-9a-f]*' AND length(run) = 16")
        ]),
      RowBounds(
        table: "setup",
        bounds: [
          processes,
          Bound(
            "its description of the job's settings is too long", "length(setup) <= \(longestReason)"
          ),
        ]),
      RowBounds(
        table: "presence",
        bounds: origin + [
          Bound("a change of a system has an impossible number", isNumber("number")),
          Bound("a change of a system has an impossible time", "at BETWEEN -1e12 AND 1e12"),
          Bound(
            "a change of a system is not one",
            "change IN (\(SystemChange.Kind.Word.allCases.map { "'\($0)'" }.joined(separator: ", ")))"
          ),
          Bound(
            "a change's reason is too long", "reason IS NULL OR length(reason) <= \(longestReason)"),
          Bound("a change's length is impossible", "seconds IS NULL OR \(isLength)"),
          Bound(
            "a change's count is impossible",
            "(failures IS NULL OR failures BETWEEN 0 AND \(mostAttempts)) "
              + "AND (slots IS NULL OR slots BETWEEN 0 AND \(mostAttempts))"),
          Bound(
            "a system's address or version is too long",
            "(address IS NULL OR length(address) <= \(longestName)) "
              + "AND (version IS NULL OR length(version) <= \(longestName))"),
        ]),
    ]
  }

  /// A growing job has the sectors of its parts.
  private static var tasks: [Bound] {
    let sectors = "(SELECT sectors FROM job)"
    let end =
      "CASE \(sectors) WHEN \(Inspection.growing) THEN \(PartTable.end(ofPartWith: "sector")) "
      + "ELSE (SELECT extent FROM job) END"
    return [
      Bound(
        "it has a sector that its job does not have",
        "task BETWEEN 0 AND \(1 << 62 - 1) AND sector < \(end)")
    ]
  }

  private static let parts = RowBounds(
    table: "part",
    bounds: [
      Bound(
        "it has parts, and its job does not grow",
        "(SELECT sectors FROM job) = \(Inspection.growing)"),
      Bound("a part has an impossible number", "number BETWEEN 0 AND \(mostNumber)"),
      Bound(
        "a part has sectors that no job has",
        "first BETWEEN 0 AND \(mostSectors) AND sectors BETWEEN 0 AND \(mostSectors) - first"),
      Bound(
        "a part's sectors do not follow those of the part before",
        "first >= \(PartTable.end(ofPartBefore: "part.number"))"),
      Bound("a part's name is too long", "length(name) <= \(longestPartName)"),
      Bound("a part's facts are too long", "length(facts) <= \(longestReason)"),
      Bound(
        "a part's outcome is too long", "outcome IS NULL OR length(outcome) <= \(longestReason)"),
    ])

  private static let processes = Bound(
    "it has rows of a process that it does not know", "process IN (SELECT number FROM process)")

  private static let origin = [
    processes,
    Bound("it has rows of a system that it does not know", "system IN (SELECT number FROM system)"),
  ]

  private static let isLength = "seconds BETWEEN 0 AND \(mostSeconds)"
  /// Any time that a wall clock may show, in seconds since 1970.
  private static let times =
    "began BETWEEN -1e12 AND 1e12 AND (ended IS NULL OR ended BETWEEN -1e12 AND 1e12)"

  private static func isNumber(_ column: String) -> String {
    "\(column) BETWEEN 1 AND \(mostNumber)"
  }
}
