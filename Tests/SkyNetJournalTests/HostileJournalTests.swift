import Foundation
import GRDB
import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetJournal

/// Journals from elsewhere: each is refused with what is wrong, by each command, and left as it is.
@Suite(.timeLimit(.minutes(20)))
struct HostileJournalTests {
  /// What was done to a journal, and a part of what is said of it.
  struct Deed: Sendable, CustomTestStringConvertible {
    let complaint: String
    let sql: String

    init(_ complaint: String, _ sql: String) {
      self.complaint = complaint
      self.sql = sql
    }

    var testDescription: String { String(sql.prefix(60)) }
  }

  /// Views that never end, triggers, other columns: nothing of them is run.
  static let schemas = [
    Deed(
      "it holds a view",
      """
      DROP TABLE result;
      CREATE VIEW result AS WITH RECURSIVE endless(task) AS (
        SELECT 0 UNION ALL SELECT task + 1 FROM endless) SELECT task FROM endless
      """),
    Deed("it holds a view", "CREATE VIEW another AS SELECT 1"),
    Deed(
      "it holds a trigger",
      """
      CREATE TRIGGER again AFTER INSERT ON process BEGIN
        INSERT INTO system (name, incarnation) SELECT a.name, random() FROM system a, system b; END
      """),
    Deed("its tables are not", "CREATE TABLE another (id INTEGER PRIMARY KEY)"),
    Deed("its tables are not", "CREATE INDEX another ON attempt (system)"),
    Deed("its tables are not", "DROP TABLE given_up"),
    Deed("its tables are not", "ALTER TABLE job ADD COLUMN another TEXT"),
    Deed("its tables are not", rewriting("' STRICT'", "''")),
    Deed("its tables are not", rewriting("'task &'", "'task |'")),
    Deed("its tables are not", rewriting("'CHECK (id = 1)'", "'CHECK (randomblob(900000000))'")),
    Deed(
      "it holds a virtual table",
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
        VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING fts5(x)')
      """),
  ]

  /// Numbers out of all bounds, and texts without end.
  static let rows = [
    Deed("a number of sectors", "UPDATE job SET sectors = 0"),
    Deed("a number of sectors", "UPDATE job SET sectors = -5"),
    Deed("a number of sectors", "UPDATE job SET sectors = 9223372036854775807"),
    Deed("too many words", "UPDATE job SET identity = printf('%.*c', 2000000, 'a')"),
    Deed("cannot be read", "UPDATE job SET identity = '{}'"),
    Deed("cannot be read", "UPDATE job SET identity = '[' || printf('%.*c', 100000, '[')"),
    Deed("cannot be read", "UPDATE job SET identity = \(manyFacts)"),
    Deed("a date in it is none", "UPDATE job SET created = printf('%.*c', 5000, 'a')"),
    Deed("a process has an impossible number", "UPDATE process SET number = -number"),
    Deed(
      "a process has an impossible number",
      """
      INSERT INTO process VALUES (9223372036854775807, 1, '0.1.0', '2026', NULL)
      """),
    Deed("an impossible id", "UPDATE process SET pid = 9223372036854775807"),
    Deed(
      "a system has an impossible number",
      "UPDATE system SET number = 9223372036854775807 WHERE name = 'a'"),
    Deed("name is too long", "UPDATE system SET name = printf('%.*c', 100000, 'a')"),
    Deed("incarnation is none", "UPDATE system SET incarnation = 'nobody' WHERE name = 'a'"),
    Deed("a sector that its job does not have", "UPDATE attempt SET task = -1"),
    Deed("a sector that its job does not have", "UPDATE attempt SET task = 1099511627775"),
    Deed("a sector that its job does not have", "UPDATE attempt SET task = task | (1 << 62)"),
    Deed("a sector that its job does not have", "UPDATE given_up SET task = 4611686018427387904"),
    Deed("a process that it does not know", "UPDATE attempt SET process = 17"),
    Deed("a system that it does not know", "UPDATE attempt SET system = 17"),
    Deed("an impossible number", "UPDATE attempt SET id = -9223372036854775807"),
    Deed("neither here nor elsewhere", "UPDATE attempt SET local = 7"),
    Deed("time is impossible", "UPDATE attempt SET began = 9e999"),
    Deed("ending is none", "UPDATE attempt SET ending = char(27) || '[2J'"),
    Deed("reason is too long", "UPDATE attempt SET reason = printf('%.*c', 2000000, 'a')"),
    Deed("in an impossible way", "UPDATE attempt SET had_started = -9223372036854775808"),
    Deed("length is impossible", "UPDATE attempt SET seconds = -9e999"),
    Deed("length is impossible", "UPDATE result SET seconds = 1e300"),
    Deed("time is impossible", "UPDATE result SET ended = -9e999"),
    Deed("too many attempts", "UPDATE result SET attempts = 9223372036854775807"),
    Deed("too many attempts", "UPDATE result SET attempts = -1"),
    Deed("in an impossible way", "UPDATE result SET ends = 2"),
    Deed("has changed", "UPDATE result SET output = '\"another\"'"),
    Deed("a sector that its job does not have", "UPDATE result SET task = task + 1000000"),
    Deed("cannot be read", "UPDATE given_up SET story = '{}'"),
    Deed(
      "cannot be read",
      "UPDATE given_up SET story = replace(story, '\"attempts\":1', '\"attempts\":9223372036854775807')"
    ),
    Deed(
      "cannot be read",
      "UPDATE given_up SET story = replace(story, '\"seconds\":0', '\"seconds\":1e300')"),
    Deed(
      "it is damaged", "UPDATE result SET output = CAST(zeroblob(269000000) AS TEXT) WHERE task = 0"
    ),
  ]

  private static func rewriting(_ old: String, _ new: String) -> String {
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, \(old), \(new))"
  }

  private static let manyFacts =
    "'{\"facts\":[' || rtrim(replace(printf('%.*c', 5000, 'a'), 'a', "
    + "'{\"name\":\"a\",\"value\":\"b\"},'), ',') || ']}'"

  @Test(arguments: schemas + rows)
  func itIsRefusedWithWhatIsWrong(_ deed: Deed) async throws {
    let folder = try await Self.journal()
    try Self.change(folder.file(), deed.sql)
    let before = try folder.contents()
    let read = #expect(throws: JournalError.self) {
      try Overview.read(folder.file(), failures: .max)
    }
    let opened = await #expect(throws: JournalError.self) { try await folder.open() }
    for error in [read, opened] {
      let text = error?.description ?? ""
      #expect(text.contains(deed.complaint), "\(text)")
      #expect(text.count < 400 && !text.contains("\u{1b}"))
      #expect(error?.code == .damaged || error?.code == .notAJournal)
    }
    #expect(try folder.contents() == before)
  }

  @Test func whatIsUnchangedIsTaken() async throws {
    let folder = try await Self.journal()
    let overview = try Overview.read(folder.file(), failures: .max)
    #expect(overview.progress.done == 3 && overview.failures.count == 1)
    let journal = try await folder.open()
    #expect(try await journal.all().count == 5)
    await journal.close()
  }

  /// Bytes anywhere in a journal become others: it is refused, or read as something that may be. It
  /// never ends the process.
  @Test func changedBytesEndNothing() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("mutations of a journal: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let whole = try await Self.journal()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.file()))
    let folder = try Folder()
    var taken = 0
    for _ in 0..<3000 {
      for suffix in ["-wal", "-shm"] { unlink(folder.file() + suffix) }
      try Self.mutation(of: bytes, &random).write(to: URL(fileURLWithPath: folder.file()))
      guard (try? Overview.read(folder.file(), failures: .max)) != nil else { continue }
      taken += 1
      // To open one for a run waits for the disk.
      guard taken.isMultiple(of: 20) else { continue }
      guard let journal = try? await folder.open() else { continue }
      _ = try? await journal.all()
      _ = try? await journal.losses()
      await journal.close()
    }
    // Many bytes of a page mean nothing.
    #expect(taken > 0)
  }

  private static func mutation(of bytes: Data, _ random: inout SplitMix64) -> Data {
    var mutated = bytes
    if random.chance(0.05) {
      mutated = mutated.prefix(Int.random(in: 100..<bytes.count, using: &random))
    }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      // A page's beginning says how the rest of it is read.
      let page = Int.random(in: 0..<mutated.count / 4096 + 1, using: &random) * 4096
      let reach = random.chance(0.5) ? 64 : 4096
      let place = page + Int.random(in: 0..<reach, using: &random)
      guard place < mutated.count else { continue }
      mutated[place] = random.pick([
        0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random),
      ])
    }
    return mutated
  }

  // MARK: A journal to change

  /// One with something in each table: three results, an open attempt of a process that died, and a
  /// sector that was given up.
  private static func journal() async throws -> Folder {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    for sector in 0..<3 { journal.scanned(attempts.next(sector, isLocal: sector == 0)) }
    journal.began(attempts.next(4))
    var story = TaskStory()
    story.began()
    story.ended(.failed(reason: "broken", seconds: 0), on: Incarnation(), named: "a")
    journal.record(.gaveUp(TaskID(sector: 5), story))
    try await journal.commit()
    let remains = try folder.afterDeath()
    await journal.close()
    try change(remains.file(), "PRAGMA journal_mode = DELETE")
    return remains
  }

  private static func change(_ path: String, _ sql: String) throws {
    let database = try DatabaseQueue(path: path)
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
      try db.execute(sql: sql)
    }
    try database.close()
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
  }
}
