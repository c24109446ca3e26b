import GRDB

@testable import SkyNetJournal

/// The commits of a journal, as they happen.
final class Commits: TransactionObserver, Sendable {
  let all: AsyncStream<Void>
  private let happened: AsyncStream<Void>.Continuation

  private init() {
    (all, happened) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  static func of(_ journal: SQLiteJournal) async throws -> Commits {
    let commits = Commits()
    try await journal.use { $0.add(transactionObserver: commits, extent: .databaseLifetime) }
    return commits
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { happened.yield() }
  func databaseDidRollback(_ db: Database) {}
}
