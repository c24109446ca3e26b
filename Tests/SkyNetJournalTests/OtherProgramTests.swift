import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import SkySQLite
import Testing

@testable import SkyNetJournal

/// What another program does with an open journal by SQLite, such as a browser of databases.
@Suite("Other programs that use an open journal", .timeLimit(.minutes(20)))
struct OtherProgramTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func size(_ suffix: String = "") throws -> Int {
    try folder.contents()["run.sqlite" + suffix]?.count ?? 0
  }

  /// Records sectors, and expects that they are there for the next process, as those before.
  private func expectGoesOn(_ journal: SQLiteJournal, _ sectors: Range<Int>) async throws {
    var attempts = Attempts()
    for sector in sectors { journal.scanned(attempts.next(sector)) }
    try await journal.finish()
    #expect(
      try await folder.afterDeath().open().progress.done == sectors.upperBound, "after a crash")
    await journal.close()
    let again = try await folder.open()
    #expect(again.progress.done == sectors.upperBound)
    await again.close()
  }

  @Test(
    "The log may be moved into the file", arguments: ["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
  func checkpoints(mode: String) async throws {
    let journal = try await folder.open()
    var attempts = Attempts()
    for sector in 0..<3 { journal.scanned(attempts.next(sector)) }
    try await journal.finish()
    let before = try size("-wal")
    #expect(before > 0)
    let other = try Database(folder.file())
    try other.execute("PRAGMA wal_checkpoint(\(mode))")
    #expect(try size("-wal") == (mode == "TRUNCATE" ? 0 : before))
    try await expectGoesOn(journal, 3..<5)
  }

  @Test("The log may be shortened while the journal is written")
  func checkpointsAtWork() async throws {
    let journal = try await folder.open()
    let commits = try await Commits.of(journal)
    let other = try Database(folder.file())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await journal.run() }
      var happened = commits.all.makeAsyncIterator()
      var attempts = Attempts()
      for sector in 0..<3 {
        journal.scanned(attempts.next(sector))
        await happened.next()
        try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    try await expectGoesOn(journal, 3..<4)
  }

  @Test("The file may be packed, and be shorter then")
  func packing() async throws {
    let journal = try await folder.open(sectors: nil)
    var attempts = Attempts()
    let output = String(repeating: "x", count: 100_000)
    for number in 0..<2 {
      journal.record(.part(.image(number, number * 10..<(number + 1) * 10)))
      for sector in 0..<5 {
        let attempt = attempts.next(number * 10 + sector)
        journal.began(attempt)
        journal.accepted(attempt, output)
      }
    }
    try await journal.finish()
    let other = try Database(folder.file())
    try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try size()
    // The check notes how long the file is.
    try await journal.finish()
    journal.record(.droppedPart(0))
    try await journal.commit()
    try other.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try size() < before)
    journal.scanned(attempts.next(15))
    try await journal.finish()
    await journal.close()
    let again = try await folder.open(sectors: nil)
    #expect(try await again.all().map(\.id.sector) == Array(10...15))
    await again.close()
  }

  @Test("A program that writes is waited for, which is told")
  func aLock() async throws {
    let told = Watched(0)
    let journal = try await folder.open(lockWait: { _ in
      LockWait(limit: .seconds(1000)) { told.update { $0 += 1 } }
    })
    let other = try Database(folder.file())
    try other.execute("BEGIN IMMEDIATE")
    var attempts = Attempts()
    journal.scanned(attempts.next(0))
    async let committed: Void = journal.commit()
    try await told.wait { $0 == 1 }
    // Others read meanwhile.
    #expect(try Overview.read(folder.file(), failures: 0).progress.done == 0)
    try other.execute("ROLLBACK")
    try await committed
    try await expectGoesOn(journal, 1..<2)
  }

  @Test("A lock that is never released ends the run, and nothing that was recorded is lost")
  func aLastingLock() async throws {
    let journal = try await folder.open(lockWait: { _ in
      LockWait(limit: .milliseconds(1)) {}
    })
    var attempts = Attempts()
    journal.scanned(attempts.next(0))
    try await journal.commit()
    let other = try Database(folder.file())
    try other.execute("BEGIN IMMEDIATE")
    journal.scanned(attempts.next(1))
    let error = await #expect(throws: JournalError.self) { try await journal.commit() }
    #expect(error?.code == .writeFailed)
    #expect(
      error?.fault
        == "another program has had it locked for 60 s; everything recorded before that is kept: end what that program "
        + "does with it, and start the same command again")
    await journal.close()
    try other.execute("ROLLBACK")
    try other.close()
    let again = try await folder.open()
    #expect(again.progress.done == 1)
    await again.close()
  }
}
