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
        SELECT pass, sector, story FROM given_up
        WHERE (pass, sector) > (?, ?) AND (pass, sector) <= (?, ?) ORDER BY pass, sector LIMIT ?
        """, arguments: [start.pass, start.sector, end.pass, end.sector, limit]
    ).map { row in
      let id = TaskID(pass: row[0], sector: row[1])
      let text: String = row[2]
      guard let story = try? decoder.decode(TaskStory.self, from: Data(text.utf8)) else {
        throw JournalError.damaged(path, "the story of sector \(id.sector) cannot be read")
      }
      return (id, story)
    }
  }
}
