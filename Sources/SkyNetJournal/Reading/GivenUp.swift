import Foundation
import GRDB
import SkyNetCore

/// Tasks that were given up, with their stories.
enum GivenUp {
  static func fetch(
    _ db: Database, from start: Key, to end: Key, limit: Int, path: String
  ) throws -> [(id: TaskID, story: TaskStory)] {
    let decoder = JSONDecoder()
    return try Row.fetchAll(
      db,
      sql: """
        SELECT task, story FROM given_up WHERE task > ? AND task <= ? ORDER BY task LIMIT ?
        """, arguments: [start.number, end.number, limit]
    ).map { row in
      let id = Key(row: row[0]).task
      let text: String = row[1]
      guard let story = try? decoder.decode(TaskStory.self, from: Data(text.utf8)) else {
        throw JournalError.damaged(path, "the story of sector \(id.sector) cannot be read")
      }
      return (id, story)
    }
  }
}
