import CSQLite
import SkySQLite
import Synchronization

@testable import SkyNetJournal

/// The commits of a journal, each after it has happened.
final class Commits: Sendable {
  let all: AsyncStream<Void>
  private let happened: AsyncStream<Void>.Continuation

  /// SQLite keeps no reference to what it calls.
  private static let kept = Mutex<[Commits]>([])

  private init() {
    (all, happened) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  static func of(_ journal: SQLiteJournal) async throws -> Commits {
    let commits = Commits()
    kept.withLock { $0.append(commits) }
    try await journal.use { db in
      // It takes the place of the automatic checkpoint, for which these tests write too little.
      _ = sqlite3_wal_hook(
        try db.connection,
        { commits, _, _, _ in
          if let commits {
            Unmanaged<Commits>.fromOpaque(commits).takeUnretainedValue().happened.yield()
          }
          return SQLITE_OK
        }, Unmanaged.passUnretained(commits).toOpaque())
    }
    return commits
  }
}
