import Foundation
package import SkyNetCore
import SkySQLite

/// What a journal tells of one sector, for `skynet replay`.
package struct SectorStory: Sendable {
  /// An attempt at the sector, of any pass.
  package struct Attempt: Hashable, Sendable {
    package let pass: Int
    package let process: Int
    /// The system's name.
    package let system: String
    package let ending: RunHistory.Ending
    package let reason: String?
    package let seconds: Double?
  }

  /// The attempts without an output, by pass, in the order in which they began.
  package let attempts: [Attempt]
  /// The attempts that brought an output, by pass.
  package let done: [Attempt]
  /// The pass in which the sector was given up, with the reasons.
  package let givenUp: (pass: Int, story: TaskStory)?

  /// The pass that is of interest: where the sector was given up, or else where an attempt failed, the last
  /// such one, or else the last that the sector came to.
  package var pass: Int {
    givenUp?.pass ?? failed.last?.pass ?? done.last?.pass ?? attempts.last?.pass ?? 0
  }

  /// The number of the last attempt that failed in a pass by its scan, as its scan got it; 1 if none failed.
  package func attempt(in pass: Int) -> Int {
    let counted = failed.count { $0.pass == pass }
    let told = givenUp.flatMap { $0.pass == pass ? $0.story.thrown : nil } ?? 0
    return max(1, counted, told)
  }

  /// The process whose attempt in a pass is of interest: the last that failed, or else the last.
  package func process(in pass: Int) -> Int? {
    (failed.last { $0.pass == pass } ?? done.last { $0.pass == pass }
      ?? attempts.last { $0.pass == pass })?.process
  }

  private var failed: [Attempt] { attempts.filter { $0.ending == .failed } }
}

extension RunHistory {
  /// - Throws: ``JournalError``; `DatabaseError`.
  package func story(ofSector sector: Int) throws -> SectorStory {
    // The columns of rows that the caller's check has found sound. The reader looks through all rows, since
    // the sector is the key's lower half.
    func attempts(_ sql: String) throws -> [SectorStory.Attempt] {
      try db.rows(sql, sector).map { row in
        SectorStory.Attempt(
          pass: try row[0], process: try row[1], system: try row[2],
          ending: Self.ending(try row[3]), reason: try row[4], seconds: try row[5])
      }
    }
    let others = try attempts(
      """
      SELECT pass, process, name, ending, reason, seconds
      FROM attempt JOIN system ON system.number = attempt.system
      WHERE sector = ? ORDER BY task, process, id LIMIT 10000
      """)
    let done = try attempts(
      """
      SELECT pass, process, name, 'succeeded', NULL, seconds
      FROM result JOIN system ON system.number = result.system
      WHERE sector = ? ORDER BY task LIMIT 10000
      """)
    let task: Int? = try db.value(
      "SELECT task FROM given_up WHERE sector = ? ORDER BY task DESC LIMIT 1", sector)
    let givenUp = try task.flatMap { number in
      try GivenUpTasks.fetch(
        db, from: Key(row: number - 1), to: Key(row: number), limit: 1, path: path
      ).first
    }
    return SectorStory(
      attempts: others, done: done, givenUp: givenUp.map { ($0.id.pass, $0.story) })
  }

  /// What a process recorded of its settings; the latest process's if it recorded none.
  package func setup(ofProcess number: Int?) throws -> RunSetup? {
    guard let number else { return setup }
    return try db.value("SELECT setup FROM setup WHERE process = ?", number).map {
      try Inspection.setup($0, JSONDecoder(), path)
    } ?? setup
  }
}
