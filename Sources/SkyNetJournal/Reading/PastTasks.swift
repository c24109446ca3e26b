import Foundation
import SkyNetCluster
import SkyNetCore
import SkySQLite

/// Reads the tasks that earlier processes worked on, page by page, ordered by pass and sector.
struct PastTasks {
  let db: Database
  let process: Int
  let path: String

  init(_ db: Database, before process: Int, path: String) {
    self.db = db
    self.process = process
    self.path = path
  }

  /// - Parameter sectors: the sectors whose tasks are read; `nil` means all.
  /// - Throws: ``JournalError`` for a row with an impossible value; `DatabaseError`.
  func page(
    _ type: any (Codable & Sendable).Type, in sectors: Range<Int>?, after task: TaskID?, limit: Int
  ) throws -> [PastTask] {
    var start = try task.map { try Key($0) } ?? .first
    guard let sectors else { return try page(type, after: start, to: .last, limit: limit) }
    let passes = SectorKeys(sectors)
    var page: [PastTask] = []
    while page.count < limit, let keys = try passes.next(after: start, db) {
      page += try self.page(
        type, after: keys.before, to: keys.last, limit: limit - page.count)
      start = keys.last
    }
    return page
  }

  /// The tasks with keys after `start` up to `last`.
  private func page(
    _ type: any (Codable & Sendable).Type, after start: Key, to last: Key, limit: Int
  ) throws -> [PastTask] {
    guard limit > 0 else { return [] }
    let done = try results(type, from: start, to: last, limit: limit)
    // There are many attempts of done tasks, so they are read only up to this page's last task.
    let end = done.count == limit ? done[limit - 1].0 : last
    let givenUp = try givenUp(from: start, to: end, limit: limit)
    let open = try open(from: start, to: end, limit: limit)
    return (done + givenUp + open).sorted { $0.0 < $1.0 }.prefix(limit).map(\.1)
  }

  private func results(
    _ type: any (Codable & Sendable).Type, from start: Key, to last: Key, limit: Int
  ) throws -> [(Key, PastTask)] {
    let decoder = JSONDecoder.ofValues()
    let statement = try db.cachedStatement(
      """
      SELECT task, output, name, attempts, seconds
      FROM result JOIN system ON system.number = result.system
      WHERE task > ? AND task <= ? AND process < ? ORDER BY task LIMIT ?
      """)
    let rows = try statement.rows(start.number, last.number, process, limit)
    var tasks: [(Key, PastTask)] = []
    while let row = try rows.next() {
      let key = Key(row: try row[0])
      let id = key.task
      let text: String = try row[1]
      let output: any Codable & Sendable
      do {
        output = try OutputCoding.output(of: type, in: text, decoder)
      } catch {
        throw JournalError.damaged(path, "the output of sector \(id.sector) cannot be read")
      }
      var story = TaskStory()
      story.began(times: try row[3])
      let end = PastTask.End.accepted(
        output, system: try row[2], seconds: try row[4])
      tasks.append((key, PastTask(id: id, end: end, story: story)))
    }
    return tasks
  }

  /// The tasks with an output, in the order in which their outputs were taken, of a job that has added sectors to those
  /// that it began with.
  func order() throws -> [TaskID] {
    try db.rows(
      """
      SELECT task FROM result WHERE process < ? AND (SELECT extent > sectors FROM job)
      ORDER BY place
      """, process
    ).map { Key(row: try $0[0]).task }
  }

  /// A task that has its output; `nil` if it has none.
  func result(_ type: any (Codable & Sendable).Type, of task: TaskID) throws -> PastTask? {
    let key = try Key(task)
    let before = Key(row: key.number - 1)
    return try results(type, from: before, to: key, limit: 1).first?.1
  }

  private func givenUp(
    from start: Key, to end: Key, limit: Int
  ) throws -> [(Key, PastTask)] {
    try GivenUpTasks.fetch(db, from: start, to: end, limit: limit, path: path).map {
      (try Key($0.id), PastTask(id: $0.id, end: .gaveUp, story: $0.story))
    }
  }

  private func open(
    from start: Key, to end: Key, limit: Int
  ) throws -> [(Key, PastTask)] {
    let rows = try db.rows(
      """
      SELECT task, ending, reason, had_started, seconds, local, name, incarnation,
        process.ended IS NOT NULL
      FROM attempt
        JOIN system ON system.number = attempt.system
        JOIN process ON process.number = attempt.process
      WHERE task > ? AND task <= ? AND process < ?
        AND NOT EXISTS (SELECT 1 FROM result WHERE result.task = attempt.task)
        AND NOT EXISTS (SELECT 1 FROM given_up WHERE given_up.task = attempt.task)
      ORDER BY task, process, id
      """, start.number, end.number, process)
    var stories: [(Key, TaskStory)] = []
    while let row = try rows.next() {
      let key = Key(row: try row[0])
      if stories.last?.0 != key {
        if stories.count == limit { break }
        stories.append((key, TaskStory()))
      }
      try add(row, to: &stories[stories.count - 1].1)
    }
    return stories.map { key, story in
      (key, PastTask(id: key.task, end: .open, story: story))
    }
  }

  func beginnings() throws -> [Int: Double] {
    let rows = try db.rows(
      """
      SELECT task, began FROM result WHERE process < ?1
      UNION ALL SELECT attempt.task, MAX(attempt.began)
      FROM attempt JOIN given_up ON given_up.task = attempt.task
      WHERE process < ?1 GROUP BY attempt.task
      """, process)
    var beginnings: [Int: Double] = [:]
    while let row = try rows.next() {
      beginnings[Key(row: try row[0]).task.sector] = try row[1] as Double
    }
    return beginnings
  }

  func setups() throws -> [RunSetup] {
    let rows = try db.rows(
      "SELECT setup FROM setup WHERE process < ? ORDER BY process DESC", process)
    let decoder = JSONDecoder()
    var setups: [RunSetup] = []
    while let row = try rows.next() { setups.append(try Inspection.setup(row[0], decoder, path)) }
    return setups
  }

  /// Adds an attempt of an earlier process to its task's story.
  private func add(_ row: Row, to story: inout TaskStory) throws {
    let incarnation = try incarnation(row[7])
    let isLocal: Bool = try row[5]
    let hasProcessEnded: Bool = try row[8]
    let ending: AttemptOutcome
    if let word: String = try row[1] {
      guard
        let known = AttemptOutcome(
          word: word, reason: try row[2] ?? "", hadStarted: try row[3] ?? false,
          seconds: try row[4])
      else { throw JournalError.damaged(path, "an attempt's ending is not one") }
      ending = known
    } else if hasProcessEnded {
      ending = .withdrawn(reason: "the engagement ended before it did")
    } else if isLocal {
      // A local attempt is recorded before its scan begins, so this scan may be what ended the
      // process.
      ending = .lost(reason: Self.death, hadStarted: true)
    } else {
      ending = .withdrawn(reason: Self.death)
      story.isLeftElsewhere = true
    }
    story.began(times: 1)
    story.ended(ending, on: incarnation, named: try row[6])
  }

  func incarnation(_ text: String) throws -> Incarnation {
    guard let incarnation = Incarnation(text) else {
      throw JournalError.damaged(path, "a system's incarnation is not a UUID")
    }
    return incarnation
  }

  private static let death = "the engagement's own process ended"
}
