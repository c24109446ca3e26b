import Foundation
import GRDB
import SkyNetCluster
import SkyNetCore

/// Makes rows of entries, batch after batch, each within a transaction of its own.
///
/// An attempt has a row of its own from its beginning on, and one that brought its task's output
/// has none any more: the output's row tells of it. So one that begins and succeeds before it is
/// written takes a single row.
struct BatchWriter {
  /// An attempt that has not ended.
  private struct Begun {
    let attempt: Attempt
    let isLocal: Bool
    let at: Double
    /// Whether it has its row.
    var isWritten = false
  }

  private static let encoder = JSONEncoder()

  private let process: Int
  /// Rows of systems, by incarnation.
  private var systems: [Incarnation: Int] = [:]
  private var lastSystem: (incarnation: Incarnation, number: Int)?
  private var begun: [Attempt.ID: Begun] = [:]
  /// Those of them that may have no row yet.
  private var unwritten: [Attempt.ID] = []
  private var results: ResultRows

  init(process: Int) {
    self.process = process
    results = ResultRows(process: process)
  }

  /// Whether there are attempts that were begun and kept back.
  var keepsBack: Bool { !unwritten.isEmpty }

  /// Writes entries, and what was kept back before them.
  ///
  /// - Parameter recently: attempts on other systems that began within this time and have not ended
  ///   are kept back. If this process dies, such an attempt is withdrawn; that nothing is known of
  ///   it comes to the same.
  /// - Throws: `DatabaseError`; `EncodingError` of an output. Then nothing can be written any more.
  mutating func write(
    _ entries: [RecordedEntry], to db: Database, keepingBack recently: ClosedRange<Double>?
  ) throws {
    let statements = try Statements(db)
    for recorded in entries {
      switch recorded.entry {
      case .began(let attempt, let isLocal):
        begun[attempt.id] = Begun(attempt: attempt, isLocal: isLocal, at: recorded.at)
        unwritten.append(attempt.id)
      case .ended(let attempt, let ending):
        try end(attempt, ending, ending.seconds, recorded.at, db, statements)
      case .forgave(let task, let system): try forgive(task, system, db)
      case .accepted(let attempt, let output, let attempts, let seconds, let endsSector):
        let begun = begun.removeValue(forKey: attempt.id)
        if let begun, begun.isWritten { try delete(attempt, statements) }
        let row = ResultRows.Row(
          try Key(attempt.task), system: try number(of: attempt.slot, db),
          began: begun?.at ?? recorded.at, ended: recorded.at, attempts: attempts,
          seconds: seconds, ends: endsSector)
        try results.append(row, output)
        if results.isFull { try results.write(db) }
      case .gaveUp(let task, let story): try giveUp(task, story, db)
      }
    }
    try results.write(db)
    try writeBegun(keepingBack: recently, db, statements)
  }

  private mutating func writeBegun(
    keepingBack recently: ClosedRange<Double>?, _ db: Database, _ statements: Statements
  ) throws {
    var kept: [Attempt.ID] = []
    for id in unwritten {
      guard let one = begun[id] else { continue }
      if !one.isLocal, recently?.contains(one.at) == true {
        kept.append(id)
      } else {
        try insert(one, nil, nil, nil, db, statements)
        begun[id]?.isWritten = true
      }
    }
    unwritten = kept
  }

  private mutating func end(
    _ attempt: Attempt, _ ending: AttemptOutcome, _ seconds: Double?, _ at: Double, _ db: Database,
    _ statements: Statements
  ) throws {
    guard let begun = begun.removeValue(forKey: attempt.id) else { return }
    // Few end so that two statements would matter.
    if begun.isWritten { try delete(attempt, statements) }
    try insert(begun, ending, seconds, at, db, statements)
  }

  private mutating func insert(
    _ begun: Begun, _ ending: AttemptOutcome?, _ seconds: Double?, _ at: Double?, _ db: Database,
    _ statements: Statements
  ) throws {
    let insert = statements.insert
    try bindKey(of: begun.attempt, insert)
    insert.bind(4, try number(of: begun.attempt.slot, db))
    insert.bind(5, begun.isLocal)
    insert.bind(6, begun.at)
    insert.bind(7, at)
    insert.bind(8, ending?.word)
    insert.bind(9, ending?.reason)
    insert.bind(10, ending?.hadStarted)
    insert.bind(11, seconds)
    try insert.run()
  }

  private func delete(_ attempt: Attempt, _ statements: Statements) throws {
    try bindKey(of: attempt, statements.delete)
    try statements.delete.run()
  }

  private func bindKey(of attempt: Attempt, _ statement: RawStatement) throws {
    statement.bind(1, try Key(attempt.task).number)
    statement.bind(2, process)
    statement.bind(3, Int(attempt.id))
  }

  private func giveUp(_ task: TaskID, _ story: TaskStory, _ db: Database) throws {
    let json = String(decoding: try Self.encoder.encode(story), as: UTF8.self)
    try db.execute(
      sql: "INSERT OR REPLACE INTO given_up (task, story) VALUES (?, ?)",
      arguments: [try Key(task).number, json])
  }

  private func forgive(_ task: TaskID, _ system: Incarnation, _ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE attempt SET ending = ?, had_started = NULL
        WHERE task = ? AND ending = ?
          AND system = (SELECT number FROM system WHERE incarnation = ?)
        """,
      arguments: [
        AttemptOutcome.withdrawn(reason: "").word, try Key(task).number,
        AttemptOutcome.lost(reason: "", hadStarted: true).word, system.description,
      ])
  }

  private mutating func number(of slot: Slot, _ db: Database) throws -> Int {
    if let lastSystem, lastSystem.incarnation == slot.system { return lastSystem.number }
    let number = try systems[slot.system] ?? enter(slot, db)
    systems[slot.system] = number
    lastSystem = (slot.system, number)
    return number
  }

  private func enter(_ slot: Slot, _ db: Database) throws -> Int {
    let incarnation = slot.system.description
    try db.execute(
      sql: "INSERT OR IGNORE INTO system (name, incarnation) VALUES (?, ?)",
      arguments: [slot.name, incarnation])
    let row = try Int.fetchOne(
      db, sql: "SELECT number FROM system WHERE incarnation = ?", arguments: [incarnation])
    guard let row else {
      throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "a system's row is not there")
    }
    return row
  }
}

extension BatchWriter {
  private struct Statements {
    let insert: RawStatement
    let delete: RawStatement

    init(_ db: Database) throws {
      insert = try RawStatement(
        db,
        """
        INSERT INTO attempt (task, process, id, system, local, began, ended, ending, reason,
          had_started, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
      delete = try RawStatement(
        db, "DELETE FROM attempt WHERE task = ? AND process = ? AND id = ?")
    }
  }
}
