import SkyNetCore
import SkySQLite

/// Rows of `result` that are not written yet, with all outputs' bytes in one array.
///
/// They are written in the order of their tasks, so that SQLite nearly always appends, and several
/// by one statement.
struct ResultRows {
  struct Row {
    var key: Key
    var system: Int
    var began: Double
    var ended: Double
    var attempts: Int
    var seconds: Double
    var ends: Bool
    /// Its place in the order in which the run's outputs were taken.
    var place: Int
    fileprivate var checksum = 0
    fileprivate var start = 0
    fileprivate var end = 0

    init(
      _ key: Key, system: Int, began: Double, ended: Double, attempts: Int, seconds: Double,
      ends: Bool, place: Int
    ) {
      self.key = key
      self.system = system
      self.began = began
      self.ended = ended
      self.attempts = attempts
      self.seconds = seconds
      self.ends = ends
      self.place = place
    }
  }

  /// How many rows one statement writes.
  private static let batch = 16
  /// With more bytes than this the rows should be written before more are added.
  private static let limit = 256 * 1024
  private let insertBatch: String
  private let insertOne: String
  private var rows: [Row] = []
  private var bytes: [UInt8] = []

  init(process: Int) {
    insertBatch = Self.insert(process, rows: Self.batch)
    insertOne = Self.insert(process, rows: 1)
  }

  var isFull: Bool { bytes.count > Self.limit }

  /// - Throws: `EncodingError` of the output.
  mutating func append(_ row: Row, _ output: any Codable & Sendable) throws {
    var row = row
    row.start = bytes.count
    try OutputCoding.append(output, to: &bytes)
    row.end = bytes.count
    row.checksum = bytes.withUnsafeBytes {
      SkyNetJournal.checksum(of: .init(rebasing: $0[row.start..<row.end]), for: row.key.task)
    }
    rows.append(row)
  }

  /// Writes and removes all rows.
  ///
  /// - Throws: `DatabaseError`.
  mutating func write(_ db: Database) throws {
    guard !rows.isEmpty else { return }
    rows.sort { $0.key < $1.key }
    try bytes.withUnsafeBytes { bytes in
      let inBatches = rows.count - rows.count % Self.batch
      try write(rows[..<inBatches], by: Self.batch, insertBatch, bytes, db)
      try write(rows[inBatches...], by: 1, insertOne, bytes, db)
    }
    rows.removeAll(keepingCapacity: true)
    // A single output may have been as large as a picture.
    bytes.removeAll(keepingCapacity: bytes.capacity <= 2 * Self.limit)
  }

  /// - Parameter count: how many rows one statement writes.
  private func write(
    _ rows: ArraySlice<Row>, by count: Int, _ sql: String, _ bytes: UnsafeRawBufferPointer,
    _ db: Database
  ) throws {
    guard !rows.isEmpty else { return }
    let statement = try db.statement(sql)
    for first in stride(from: rows.startIndex, to: rows.endIndex, by: count) {
      for index in 0..<count { try Self.bind(rows[first + index], index, statement, bytes) }
      try statement.run()
    }
  }

  private static func insert(_ process: Int, rows: Int) -> String {
    let row = "(?, ?, \(process), ?, ?, ?, ?, ?, ?, ?, ?)"
    return """
      INSERT INTO result (task, output, process, system, began, ended, attempts, seconds, checksum,
        ends, place) VALUES \(Array(repeating: row, count: rows).joined(separator: ", "))
      """
  }

  /// - Parameter bytes: the outputs' bytes, which must not move until the statement has run.
  private static func bind(
    _ row: Row, _ index: Int, _ statement: Statement, _ bytes: UnsafeRawBufferPointer
  ) throws {
    let first = CInt(index * 10)
    try statement.bind(first + 1, row.key.number)
    try statement.bind(first + 2, utf8InPlace: .init(rebasing: bytes[row.start..<row.end]))
    try statement.bind(first + 3, row.system)
    try statement.bind(first + 4, row.began)
    try statement.bind(first + 5, row.ended)
    try statement.bind(first + 6, row.attempts)
    try statement.bind(first + 7, row.seconds)
    try statement.bind(first + 8, row.checksum)
    try statement.bind(first + 9, row.ends)
    try statement.bind(first + 10, row.place)
  }
}
