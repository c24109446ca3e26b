import SkySQLite
import Testing

@testable import SkyNetJournal

/// Another program changes the schema after its check. SQLite must run nothing of it.
@Suite("Changes to the schema after its check", .timeLimit(.minutes(20)))
struct HardeningTests {
  private static func change(_ folder: Folder, _ sql: String) throws {
    let database = try Database(folder.file())
    try database.execute(sql)
    try database.close()
  }

  @Test("A trigger is not run")
  func aTriggerIsNotRun() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    try Self.change(
      folder, "CREATE TRIGGER again AFTER INSERT ON result BEGIN DELETE FROM process; END")
    var attempts = Attempts()
    journal.scanned(attempts.next(1))
    try await journal.finish()
    #expect(try await journal.rows("result") == 1)
    #expect(try await journal.rows("process") == 1)
    await journal.close()
    let error = await #expect(throws: JournalError.self) { try await folder.open() }
    #expect(error?.code == .notAJournal)
  }

  @Test("A view is not read")
  func aViewIsNotRead() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    try Self.change(folder, "CREATE VIEW another AS SELECT * FROM process")
    let error = await #expect(throws: DatabaseError.self) { try await journal.rows("another") }
    #expect(error?.message.contains("view") == true, "\(error as Any)")
    await journal.close()
  }

  @Test(
    "The schema cannot be written",
    arguments: [
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '' WHERE name = 'result'",
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema",
    ])
  func theSchemaIsNotWritten(sql: String) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    await #expect(throws: DatabaseError.self) {
      try await journal.use { try $0.execute(sql) }
    }
    await journal.close()
    let again = try await folder.open()
    await again.close()
  }
}
