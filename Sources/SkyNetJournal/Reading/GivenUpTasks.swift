import Foundation
import SkyNetCore
import SkySQLite

/// Reads the tasks that were given up, with their stories.
enum GivenUpTasks {
  static func fetch(
    _ db: Database, from start: Key, to end: Key, limit: Int, path: String
  ) throws -> [(id: TaskID, story: TaskStory)] {
    let decoder = JSONDecoder()
    return try db.rows(
      "SELECT task, story FROM given_up WHERE task > ? AND task <= ? ORDER BY task LIMIT ?",
      start.number, end.number, limit
    ).map { try read($0, decoder, path) }
  }

  /// Checks that all of them can be read.
  ///
  /// - Throws: ``JournalError`` if one cannot; `DatabaseError`.
  static func check(_ db: Database, path: String) throws {
    let decoder = JSONDecoder()
    let rows = try db.rows("SELECT task, story FROM given_up")
    while let row = try rows.next() { _ = try read(row, decoder, path) }
  }

  private static func read(
    _ row: Row, _ decoder: JSONDecoder, _ path: String
  ) throws -> (id: TaskID, story: TaskStory) {
    let id = Key(row: try row[0]).task
    let text: String = try row[1]
    let story = try? decoder.decode(TaskStory.self, from: Data(text.utf8))
    guard let story, story.isPossible else {
      throw JournalError.damaged(path, "the story of sector \(id.sector) cannot be read")
    }
    return (id, story)
  }
}

extension TaskStory {
  /// Whether the counts are possible for a task.
  fileprivate var isPossible: Bool {
    let counts = 0...RowBounds.mostAttempts
    return counts.contains(attempts) && counts.contains(thrown) && counts.contains(failures.count)
      && (0...RowBounds.mostSeconds).contains(seconds)
  }
}
