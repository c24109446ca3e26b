import CSQLite
import Foundation
import SkyNetCluster
import SkyNetCore
import SkySQLite

/// Writes entries as rows, each batch in its own transaction.
///
/// An attempt has a row from its beginning on. When it brings its task's output, the output's row
/// replaces it. So an attempt that begins and succeeds within one batch takes a single row.
struct BatchWriter {
  /// An attempt that has not ended.
  private struct Begun {
    let attempt: Attempt
    let isLocal: Bool
    let at: Double
    /// Whether the attempt has its row.
    var isWritten = false
  }

  private static let encoder = JSONEncoder()

  private let process: Int
  /// The place of the next output in the order in which the run's outputs are taken.
  private var place: Int
  /// The systems' row numbers, by incarnation.
  private var systems: [Incarnation: Int] = [:]
  private var lastSystem: (incarnation: Incarnation, number: Int)?
  private var begun: [Attempt.ID: Begun] = [:]
  /// The begun attempts that may have no row yet.
  private var unwritten: [Attempt.ID] = []
  private var results: ResultRows
  /// The sectors of parts that this process has dropped. Nothing is recorded of them any more.
  private var dropped: [Range<Int>] = []

  init(process: Int, place: Int) {
    self.process = process
    self.place = place
    results = ResultRows(process: process)
  }

  /// Whether the rows of some begun attempts are deferred.
  var hasDeferred: Bool { !unwritten.isEmpty }

  /// Writes entries, and the attempts deferred before.
  ///
  /// - Parameter recently: attempts on other systems that began within this time and have not ended
  ///   are deferred. If this process dies, the next one would count such an attempt as withdrawn;
  ///   an attempt without a row has the same effect.
  /// - Throws: `DatabaseError`; `EncodingError` of an output. The writer cannot be used afterwards.
  mutating func write(
    _ entries: [RecordedEntry], to db: Database, deferring recently: ClosedRange<Double>?
  ) throws {
    let statements = try AttemptStatements(db)
    for recorded in entries where !isDropped(recorded.entry) {
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
          seconds: seconds, ends: endsSector, place: place)
        place += 1
        try results.append(row, output)
        if results.isFull { try results.write(db) }
      case .extended(let sectors, let end): try extend(to: sectors, end, db)
      case .droppedOutput(let task):
        try db.execute("DELETE FROM result WHERE task = ?", Key(task).number)
      case .gaveUp(let task, let story): try giveUp(task, story, db)
      case .changed(let change): try insert(change, at: recorded.at, db)
      case .part(let part): try write(part, db)
      case .droppedPart(let number): try dropPart(number, db)
      }
    }
    try results.write(db)
    try writeBegun(deferring: recently, db, statements)
  }

  // MARK: Sectors

  private func extend(to sectors: Int, _ end: Int, _ db: Database) throws {
    guard end <= RowBounds.mostSectors else {
      throw DatabaseError(SQLITE_RANGE, "there is no room for sector \(end - 1)")
    }
    guard try db.cachedStatement("SELECT sectors FROM job").value() != Inspection.growing else {
      throw DatabaseError(
        SQLITE_CONSTRAINT, "a job that grows by parts has added sectors that no part has")
    }
    let update = try db.cachedStatement(
      "UPDATE job SET known = max(known, ?), extent = max(extent, ?)")
    try update.execute(sectors, end)
  }

  // MARK: Parts

  private mutating func write(_ part: JobPart, _ db: Database) throws {
    dropped.removeAll { $0.overlaps(part.sectors) }
    try PartRows.write(part, db)
  }

  private mutating func dropPart(_ number: Int, _ db: Database) throws {
    // Outputs that wait to be written may be of this part.
    try results.write(db)
    guard let sectors = try PartRows.drop(number, db), !sectors.isEmpty else { return }
    dropped.append(sectors)
    begun = begun.filter { !sectors.contains($0.value.attempt.task.sector) }
  }

  private func isDropped(_ entry: JournalEntry) -> Bool {
    guard !dropped.isEmpty, let sector = entry.sector else { return false }
    return dropped.contains { $0.contains(sector) }
  }

  // MARK: Attempts

  private mutating func writeBegun(
    deferring recently: ClosedRange<Double>?, _ db: Database,
    _ statements: AttemptStatements
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
    _ statements: AttemptStatements
  ) throws {
    guard let begun = begun.removeValue(forKey: attempt.id) else { return }
    // Few attempts end this way, so the cost of two statements does not matter.
    if begun.isWritten { try delete(attempt, statements) }
    try insert(begun, ending, seconds, at, db, statements)
  }

  private mutating func insert(
    _ begun: Begun, _ ending: AttemptOutcome?, _ seconds: Double?, _ at: Double?, _ db: Database,
    _ statements: AttemptStatements
  ) throws {
    try bindKey(of: begun.attempt, statements.insert)
    try statements.insert.bind(4, number(of: begun.attempt.slot, db))
    try statements.insert.bind(5, begun.isLocal)
    try statements.insert.bind(6, begun.at)
    try statements.insert.bind(7, at)
    try statements.insert.bind(8, ending?.word)
    try statements.insert.bind(9, ending?.reason)
    try statements.insert.bind(10, ending?.hadStarted)
    try statements.insert.bind(11, seconds)
    try statements.insert.run()
  }

  private func delete(_ attempt: Attempt, _ statements: AttemptStatements) throws {
    try bindKey(of: attempt, statements.delete)
    try statements.delete.run()
  }

  private func bindKey(of attempt: Attempt, _ statement: Statement) throws {
    try statement.bind(1, Key(attempt.task).number)
    try statement.bind(2, process)
    try statement.bind(3, Int(attempt.id))
  }

  private func giveUp(_ task: TaskID, _ story: TaskStory, _ db: Database) throws {
    try db.execute(
      "INSERT OR REPLACE INTO given_up (task, story) VALUES (?, ?)", Key(task).number,
      String(decoding: Self.encoder.encode(story), as: UTF8.self))
  }

  private func forgive(_ task: TaskID, _ system: Incarnation, _ db: Database) throws {
    try db.execute(
      """
      UPDATE attempt SET ending = ?, had_started = NULL
      WHERE task = ? AND ending = ?
        AND system = (SELECT number FROM system WHERE incarnation = ?)
      """, AttemptOutcome.withdrawn(reason: "").word, Key(task).number,
      AttemptOutcome.lost(reason: "", hadStarted: true).word, system.description)
  }

  /// Changes of systems are rare, so the cost of a statement for each does not matter.
  private mutating func insert(_ change: SystemChange, at time: Double, _ db: Database) throws {
    guard let word = change.kind.word else { return try rename(change, db) }
    let insert = try db.statement(
      """
      INSERT INTO presence (process, system, at, change, reason, seconds, failures, address, slots,
        version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let system = try number(of: change.system, named: change.name, db)
    // An attempt may have brought a former name.
    if case .connected = change.kind { try rename(change, db) }
    try insert.bind(1, process)
    try insert.bind(2, system)
    try insert.bind(3, time)
    try insert.bind(4, word.rawValue)
    switch change.kind {
    case .connected(let address, let slots, let version):
      try insert.bind(8, address.bounded(to: RowBounds.longestName))
      try insert.bind(9, slots)
      try insert.bind(10, version.bounded(to: RowBounds.longestName))
    case .disconnected(let reason): try insert.bind(5, reason.bounded(to: RowBounds.longestReason))
    case .silent(let seconds): try insert.bind(6, min(seconds, RowBounds.mostSeconds))
    case .paused(let failures, let seconds):
      try insert.bind(6, min(seconds, RowBounds.mostSeconds))
      try insert.bind(7, min(failures, RowBounds.mostAttempts))
    case .unsuited(let reason): try insert.bind(5, reason.bounded(to: RowBounds.longestReason))
    case .leaving, .serving, .heard, .resumed, .renamed: break
    }
    try insert.run()
  }

  private func rename(_ change: SystemChange, _ db: Database) throws {
    try db.execute(
      "UPDATE system SET name = ? WHERE incarnation = ?", change.name, change.system.description)
  }

  private mutating func number(of slot: Slot, _ db: Database) throws -> Int {
    if let lastSystem, lastSystem.incarnation == slot.system { return lastSystem.number }
    let number = try number(of: slot.system, named: slot.name, db)
    lastSystem = (slot.system, number)
    return number
  }

  private mutating func number(
    of system: Incarnation, named name: String, _ db: Database
  ) throws -> Int {
    let number = try systems[system] ?? enter(system, name, db)
    systems[system] = number
    return number
  }

  private func enter(_ system: Incarnation, _ name: String, _ db: Database) throws -> Int {
    let incarnation = system.description
    try db.execute(
      "INSERT OR IGNORE INTO system (name, incarnation) VALUES (?, ?)", name, incarnation)
    let number: Int? = try db.value(
      "SELECT number FROM system WHERE incarnation = ?", incarnation)
    guard let number else { throw DatabaseError(SQLITE_INTERNAL, "a row is not there") }
    return number
  }
}

/// The statements for rows of `attempt`, for one transaction. Preparing them takes some microseconds, and a transaction
/// comes at most every 12 ms, so nothing is gained by keeping them for longer.
///
/// Their values are bound one by one, as those of `ResultRows` are: millions of rows are written this way, and boxing
/// each value would be most of the cost.
private struct AttemptStatements {
  let insert: Statement
  let delete: Statement

  /// - Throws: `DatabaseError`.
  init(_ db: Database) throws {
    insert = try db.statement(
      """
      INSERT INTO attempt (task, process, id, system, local, began, ended, ending, reason,
        had_started, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    delete = try db.statement("DELETE FROM attempt WHERE task = ? AND process = ? AND id = ?")
  }
}

extension JournalEntry {
  /// The sector that the entry tells of.
  fileprivate var sector: Int? {
    switch self {
    case .began(let attempt, _), .ended(let attempt, _): attempt.task.sector
    case .accepted(let attempt, _, _, _, _): attempt.task.sector
    case .forgave(let task, _), .gaveUp(let task, _), .droppedOutput(let task): task.sector
    case .extended, .changed, .part, .droppedPart: nil
    }
  }
}

extension String {
  /// At most this many of the text's characters, as SQLite counts them.
  func bounded(to count: Int) -> String {
    unicodeScalars.count <= count
      ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
