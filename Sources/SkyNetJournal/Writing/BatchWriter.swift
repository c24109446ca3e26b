import Foundation
import GRDB
import SkyNetCluster
import SkyNetCore

/// Writes entries as rows, within a transaction.
struct BatchWriter {
  private typealias Begun = (attempt: Attempt, isLocal: Bool, at: Double)

  private static let encoder = JSONEncoder()

  private let db: Database
  private let process: Int
  private let insertAttempt: RawStatement
  private let endAttempt: RawStatement
  private let insertResult: RawStatement
  /// Rows of systems, by incarnation; those of one batch are few.
  private var systems: [Incarnation: Int] = [:]
  /// Begun in this batch, and not ended yet: one that is ended within it takes one row and no
  /// second look at it.
  private var begun: [Attempt.ID: Begun] = [:]

  init(_ db: Database, process: Int) throws {
    self.db = db
    self.process = process
    insertAttempt = try RawStatement(
      db,
      """
      INSERT INTO attempt (pass, sector, process, id, ended, ending, reason, had_started, seconds,
        system, local, began) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    endAttempt = try RawStatement(
      db,
      """
      UPDATE attempt SET ended = ?5, ending = ?6, reason = ?7, had_started = ?8, seconds = ?9
      WHERE pass = ?1 AND sector = ?2 AND process = ?3 AND id = ?4
      """)
    insertResult = try RawStatement(
      db,
      "INSERT INTO result (pass, sector, system, attempts, seconds, output, checksum, ends) "
        + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
  }

  /// - Throws: `DatabaseError`; `EncodingError` of an output.
  mutating func write(_ entries: [RecordedEntry]) throws {
    for recorded in entries {
      switch recorded.entry {
      case .began(let attempt, let isLocal):
        begun[attempt.id] = (attempt, isLocal, recorded.at)
      case .ended(let attempt, let ending, let seconds):
        try end(attempt, ending, seconds, recorded.at)
      case .forgave(let task, let system): try forgive(task, system)
      case .accepted(let attempt, let output, let attempts, let seconds, let endsSector):
        try end(attempt, .succeeded, seconds, recorded.at)
        try result(attempt, output, attempts, seconds, endsSector)
      case .gaveUp(let task, let story): try giveUp(task, story)
      }
    }
    for begun in begun.values {
      try bind(insertAttempt, begun.attempt, nil, nil, nil)
      try insert(begun)
    }
    begun = [:]
  }

  private mutating func end(
    _ attempt: Attempt, _ ending: AttemptEnding, _ seconds: Double?, _ at: Double
  ) throws {
    let begun = begun.removeValue(forKey: attempt.id)
    let statement = begun == nil ? endAttempt : insertAttempt
    try bind(statement, attempt, ending, seconds, at)
    if let begun { try insert(begun) } else { try statement.run() }
  }

  /// What both statements have in the same places.
  private func bind(
    _ statement: RawStatement, _ attempt: Attempt, _ ending: AttemptEnding?, _ seconds: Double?,
    _ at: Double?
  ) throws {
    statement.bind(1, attempt.task.pass)
    statement.bind(2, attempt.task.sector)
    statement.bind(3, process)
    statement.bind(4, Int(attempt.id))
    statement.bind(5, at)
    statement.bind(6, ending?.word)
    statement.bind(7, ending?.reason)
    statement.bind(8, ending?.hadStarted)
    statement.bind(9, seconds)
  }

  private mutating func insert(_ begun: Begun) throws {
    insertAttempt.bind(10, try number(of: begun.attempt.slot))
    insertAttempt.bind(11, begun.isLocal)
    insertAttempt.bind(12, begun.at)
    try insertAttempt.run()
  }

  private mutating func result(
    _ attempt: Attempt, _ output: any Codable & Sendable, _ attempts: Int, _ seconds: Double,
    _ endsSector: Bool
  ) throws {
    insertResult.bind(1, attempt.task.pass)
    insertResult.bind(2, attempt.task.sector)
    insertResult.bind(3, try number(of: attempt.slot))
    insertResult.bind(4, attempts)
    insertResult.bind(5, seconds)
    try Self.encoder.encode(output).withUnsafeBytes { bytes in
      insertResult.bind(6, utf8: bytes)
      insertResult.bind(7, checksum(of: bytes, for: attempt.task))
    }
    insertResult.bind(8, endsSector)
    try insertResult.run()
  }

  private func giveUp(_ task: TaskID, _ story: TaskStory) throws {
    let json = String(decoding: try Self.encoder.encode(story), as: UTF8.self)
    try db.execute(
      sql: "INSERT OR REPLACE INTO given_up (pass, sector, story) VALUES (?, ?, ?)",
      arguments: [task.pass, task.sector, json])
  }

  private func forgive(_ task: TaskID, _ system: Incarnation) throws {
    try db.execute(
      sql: """
        UPDATE attempt SET ending = ?, had_started = NULL
        WHERE pass = ? AND sector = ? AND ending = ?
          AND system = (SELECT number FROM system WHERE incarnation = ?)
        """,
      arguments: [
        AttemptEnding.withdrawn(reason: "").word, task.pass, task.sector,
        AttemptEnding.lost(reason: "", hadStarted: true).word, system.description,
      ])
  }

  private mutating func number(of slot: Slot) throws -> Int {
    if let number = systems[slot.system] { return number }
    let incarnation = slot.system.description
    try db.execute(
      sql: "INSERT OR IGNORE INTO system (name, incarnation) VALUES (?, ?)",
      arguments: [slot.name, incarnation])
    let row = try Int.fetchOne(
      db, sql: "SELECT number FROM system WHERE incarnation = ?", arguments: [incarnation])
    guard let row else {
      throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "a system's row is not there")
    }
    systems[slot.system] = row
    return row
  }
}
