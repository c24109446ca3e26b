import Foundation
import SkyNetCluster
import SkyNetCore
import SkySQLite
import Testing

@testable import SkyNetJournal

/// Journals that an attacker could have made. Each command refuses them with their fault, and
/// leaves them unchanged.
@Suite("Hostile journals", .timeLimit(.minutes(20)))
struct HostileJournalTests {
  /// A change to a journal, and a part of the error that it must cause.
  struct JournalChange: Sendable, CustomTestStringConvertible {
    let complaint: String
    let sql: String

    init(_ complaint: String, _ sql: String) {
      self.complaint = complaint
      self.sql = sql
    }

    var testDescription: String { String(sql.prefix(60)) }
  }

  /// Endless views, triggers, other columns: SQLite must run none of them.
  static let schemas = [
    JournalChange(
      "it holds a view",
      """
      DROP TABLE result;
      CREATE VIEW result AS WITH RECURSIVE endless(task) AS (
        SELECT 0 UNION ALL SELECT task + 1 FROM endless) SELECT task FROM endless
      """),
    JournalChange("it holds a view", "CREATE VIEW another AS SELECT 1"),
    JournalChange(
      "it holds a trigger",
      """
      CREATE TRIGGER again AFTER INSERT ON process BEGIN
        INSERT INTO system (name, incarnation) SELECT a.name, random() FROM system a, system b; END
      """),
    JournalChange("its tables are not", "CREATE TABLE another (id INTEGER PRIMARY KEY)"),
    JournalChange("its tables are not", "CREATE INDEX another ON attempt (system)"),
    JournalChange("its tables are not", "DROP TABLE given_up"),
    JournalChange("its tables are not", "DROP TABLE presence"),
    JournalChange("its tables are not", "DROP TABLE part"),
    JournalChange("its tables are not", "DROP INDEX part_first"),
    JournalChange("its tables are not", "CREATE INDEX another ON presence (system)"),
    JournalChange("its tables are not", "ALTER TABLE job ADD COLUMN another TEXT"),
    JournalChange("its tables are not", rewriting("' STRICT'", "''")),
    JournalChange("its tables are not", rewriting("'task &'", "'task |'")),
    JournalChange(
      "its tables are not", rewriting("'CHECK (id = 1)'", "'CHECK (randomblob(900000000))'")),
    JournalChange(
      "it holds a virtual table",
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
        VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING fts5(x)')
      """),
  ]

  /// Numbers out of bounds, and texts without end.
  static let rows = [
    // A growing job, without parts.
    JournalChange(
      "a sector that its job does not have", "UPDATE job SET sectors = 0, known = 0, extent = 0"),
    JournalChange("a number of sectors", "UPDATE job SET sectors = 0"),
    JournalChange("a number of sectors", "UPDATE job SET known = extent + 1"),
    JournalChange("a number of sectors", "UPDATE job SET known = sectors - 1"),
    JournalChange("a number of sectors", "UPDATE job SET extent = 9223372036854775807"),
    JournalChange("an output's place", "UPDATE result SET place = -1"),
    JournalChange("an output's place", "UPDATE result SET place = 9223372036854775807"),
    JournalChange("a number of sectors", "UPDATE job SET sectors = -5"),
    JournalChange("a number of sectors", "UPDATE job SET sectors = 9223372036854775807"),
    JournalChange(
      "its description of the job is too long",
      "UPDATE job SET identity = printf('%.*c', 2000000, 'a')"),
    JournalChange("cannot be read", "UPDATE job SET identity = '{}'"),
    JournalChange("cannot be read", "UPDATE job SET identity = '[' || printf('%.*c', 100000, '[')"),
    JournalChange("cannot be read", "UPDATE job SET identity = \(manyFacts)"),
    JournalChange("a date in it is not one", "UPDATE job SET created = printf('%.*c', 5000, 'a')"),
    JournalChange("a process has an impossible number", "UPDATE process SET number = -number"),
    JournalChange(
      "a process has an impossible number",
      """
      INSERT INTO process VALUES (9223372036854775807, 1, '0.1.0', '2026', NULL)
      """),
    JournalChange("an impossible id", "UPDATE process SET pid = 9223372036854775807"),
    JournalChange(
      "a system has an impossible number",
      "UPDATE system SET number = 9223372036854775807 WHERE name = 'a'"),
    JournalChange("name is too long", "UPDATE system SET name = printf('%.*c', 100000, 'a')"),
    JournalChange(
      "incarnation is not a UUID", "UPDATE system SET incarnation = 'nobody' WHERE name = 'a'"),
    JournalChange("a sector that its job does not have", "UPDATE attempt SET task = -1"),
    JournalChange("a sector that its job does not have", "UPDATE attempt SET task = 1099511627775"),
    JournalChange(
      "a sector that its job does not have", "UPDATE attempt SET task = task | (1 << 62)"),
    JournalChange(
      "a sector that its job does not have", "UPDATE given_up SET task = 4611686018427387904"),
    JournalChange("a process that it does not know", "UPDATE attempt SET process = 17"),
    JournalChange("a system that it does not know", "UPDATE attempt SET system = 17"),
    JournalChange("an impossible number", "UPDATE attempt SET id = -9223372036854775807"),
    JournalChange("neither local nor remote", "UPDATE attempt SET local = 7"),
    JournalChange("time is impossible", "UPDATE attempt SET began = 9e999"),
    JournalChange("ending is not one", "UPDATE attempt SET ending = char(27) || '[2J'"),
    JournalChange("reason is too long", "UPDATE attempt SET reason = printf('%.*c', 2000000, 'a')"),
    JournalChange("start flag is neither", "UPDATE attempt SET had_started = -9223372036854775808"),
    JournalChange("length is impossible", "UPDATE attempt SET seconds = -9e999"),
    JournalChange("length is impossible", "UPDATE result SET seconds = 1e300"),
    JournalChange("time is impossible", "UPDATE result SET ended = -9e999"),
    JournalChange("too many attempts", "UPDATE result SET attempts = 9223372036854775807"),
    JournalChange("too many attempts", "UPDATE result SET attempts = -1"),
    JournalChange("end flag is neither", "UPDATE result SET ends = 2"),
    JournalChange("has changed", "UPDATE result SET output = '\"another\"'"),
    JournalChange("a sector that its job does not have", "UPDATE result SET task = task + 1000000"),
    JournalChange("cannot be read", "UPDATE given_up SET story = '{}'"),
    JournalChange(
      "cannot be read",
      "UPDATE given_up SET story = replace(story, '\"attempts\":1', '\"attempts\":9223372036854775807')"
    ),
    JournalChange(
      "cannot be read",
      "UPDATE given_up SET story = replace(story, '\"seconds\":0', '\"seconds\":1e300')"),
    JournalChange("run's id is not one", "UPDATE run SET run = 'zzzzzzzzzzzzzzzz'"),
    JournalChange("run's id is not one", "UPDATE run SET run = '00'"),
    JournalChange("its run has no id", "DELETE FROM run"),
    JournalChange("settings cannot be read", "UPDATE setup SET setup = '{}'"),
    JournalChange(
      "settings is too long", "UPDATE setup SET setup = printf('%.*c', 2000000, 'a')"),
    JournalChange("a process that it does not know", "UPDATE setup SET process = 17"),
    JournalChange("a process that it does not know", "UPDATE presence SET process = 17"),
    JournalChange("a system that it does not know", "UPDATE presence SET system = 17"),
    JournalChange("an impossible number", "UPDATE presence SET number = -number"),
    JournalChange("an impossible time", "UPDATE presence SET at = 9e999"),
    JournalChange("change of a system is not one", "UPDATE presence SET change = char(27) || 'x'"),
    JournalChange(
      "change's reason is too long", "UPDATE presence SET reason = printf('%.*c', 2000000, 'a')"),
    JournalChange("change's length is impossible", "UPDATE presence SET seconds = -1"),
    JournalChange(
      "change's count is impossible", "UPDATE presence SET failures = 9223372036854775807"),
    JournalChange("change's count is impossible", "UPDATE presence SET slots = -1"),
    JournalChange(
      "address or version is too long", "UPDATE presence SET address = printf('%.*c', 2000, 'a')"),
    JournalChange(
      "address or version is too long", "UPDATE presence SET version = printf('%.*c', 2000, 'a')"),
    JournalChange(
      "it is damaged", "UPDATE result SET output = CAST(zeroblob(269000000) AS TEXT) WHERE task = 0"
    ),
  ]

  /// Parts with impossible values, or of other sectors than those that have rows.
  static let parts = [
    JournalChange(
      "its job does not grow", "UPDATE job SET sectors = 10, known = 10, extent = 10"),
    JournalChange("a number of sectors", "UPDATE job SET sectors = -1"),
    JournalChange("part has an impossible number", "UPDATE part SET number = number - 1"),
    JournalChange(
      "part has an impossible number",
      "UPDATE part SET number = 9223372036854775807 WHERE number = 1"),
    JournalChange("sectors that no job has", "UPDATE part SET first = -1 WHERE number = 0"),
    JournalChange(
      "sectors that no job has", "UPDATE part SET first = 9223372036854775807 WHERE number = 2"),
    JournalChange(
      "sectors that no job has", "UPDATE part SET sectors = 9223372036854775807 WHERE number = 2"),
    JournalChange("sectors that no job has", "UPDATE part SET sectors = -1 WHERE number = 2"),
    JournalChange("do not follow", "UPDATE part SET first = 3 WHERE number = 2"),
    JournalChange("do not follow", "UPDATE part SET first = 17 WHERE number = 0"),
    JournalChange("do not follow", "UPDATE part SET sectors = 5 WHERE number = 0"),
    JournalChange("part's name is too long", "UPDATE part SET name = printf('%.*c', 6000, 'a')"),
    JournalChange("facts are too long", "UPDATE part SET facts = printf('%.*c', 2000000, 'a')"),
    JournalChange("outcome is too long", "UPDATE part SET outcome = printf('%.*c', 2000000, 'a')"),
    JournalChange("a sector that its job does not have", "DELETE FROM part WHERE number = 0"),
    JournalChange("a sector that its job does not have", "DELETE FROM part"),
    JournalChange(
      "a sector that its job does not have", "UPDATE part SET sectors = 1 WHERE number = 0"),
    JournalChange("a sector that its job does not have", "UPDATE attempt SET task = task + 100"),
    JournalChange(
      "it is damaged",
      "UPDATE part SET name = CAST(zeroblob(269000000) AS TEXT) WHERE number = 0"),
  ]

  @Test("A hostile journal of parts is refused with its fault and left unchanged", arguments: parts)
  func aHostileJournalOfPartsIsRefused(_ change: JournalChange) async throws {
    let folder = try await Self.journal(parts: [
      .image(0, 0..<4), .image(1, 4..<4), .image(2, 4..<10),
    ])
    try await expectRefusal(of: folder, after: change, sectors: nil)
  }

  private static func rewriting(_ old: String, _ new: String) -> String {
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, \(old), \(new))"
  }

  private static let manyFacts =
    "'{\"facts\":[' || rtrim(replace(printf('%.*c', 5000, 'a'), 'a', "
    + "'{\"name\":\"a\",\"value\":\"b\"},'), ',') || ']}'"

  @Test("A hostile journal is refused with its fault and left unchanged", arguments: schemas + rows)
  func aHostileJournalIsRefused(_ change: JournalChange) async throws {
    try await expectRefusal(of: try await Self.journal(), after: change, sectors: 10)
  }

  private func expectRefusal(
    of folder: Folder, after change: JournalChange, sectors: Int?
  ) async throws {
    try Self.change(folder.file(), change.sql)
    let before = try folder.contents()
    let read = #expect(throws: JournalError.self) {
      try Overview.read(folder.file(), failures: .max)
    }
    let opened = await #expect(throws: JournalError.self) {
      try await folder.open(sectors: sectors)
    }
    let history = #expect(throws: JournalError.self) { try Self.readHistory(folder.file()) }
    for error in [read, opened, history] {
      let text = error?.description ?? ""
      #expect(text.contains(change.complaint), "\(text)")
      #expect(text.count < 400 && !text.contains("\u{1b}"))
      #expect(error?.code == .damaged || error?.code == .notAJournal)
    }
    #expect(try folder.contents() == before)
  }

  @Test("An unchanged journal is accepted")
  func anUnchangedJournalIsAccepted() async throws {
    let folder = try await Self.journal()
    let overview = try Overview.read(folder.file(), failures: .max)
    #expect(overview.progress.done == 3 && overview.failures.count == 1)
    #expect(try Self.readHistory(folder.file()) > 8)
    let journal = try await folder.open()
    #expect(try await journal.all().count == 5)
    await journal.close()
  }

  /// Random bytes of a journal change. The journal is either refused or read as a valid one.
  @Test("Changed bytes never end the process", arguments: [false, true])
  func changedBytesDoNotEndTheProcess(hasParts: Bool) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("mutations of a journal: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let parts = [JobPart.image(0, 0..<4), .image(1, 4..<4), .image(2, 4..<10)]
    let whole = try await Self.journal(parts: hasParts ? parts : [])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.file()))
    let folder = try Folder()
    var taken = 0
    for _ in 0..<1500 {
      for suffix in ["-wal", "-shm"] { unlink(folder.file() + suffix) }
      try Self.mutation(of: bytes, &random).write(to: URL(fileURLWithPath: folder.file()))
      guard (try? Overview.read(folder.file(), failures: .max)) != nil else { continue }
      taken += 1
      _ = try? Self.readHistory(folder.file())
      // Opening a journal for a run waits for the disk.
      guard taken.isMultiple(of: 20) else { continue }
      guard let journal = try? await folder.open(sectors: hasParts ? nil : 10) else { continue }
      _ = try? await journal.parts()
      _ = try? await journal.past(String.self, in: 4..<10, after: nil, limit: 9)
      _ = try? await journal.all()
      _ = try? await journal.losses()
      await journal.close()
    }
    // Many bytes of a page have no meaning, so some changes are accepted.
    #expect(taken > 0)
  }

  /// Reads all that a report and a replay read.
  private static func readHistory(_ path: String) throws -> Int {
    try RunHistory.read(path) { history in
      var count = try history.extents().count + history.failures(limit: .max).count
      try history.forEachSystem { _ in count += 1 }
      try history.forEachChange { _ in count += 1 }
      let hedged = try history.forEachOther { _ in count += 1 }
      try history.forEachDone(hedged: hedged) { _ in count += 1 }
      try history.forEachOutput(of: String.self, before: 1) { _, _, _ in count += 1 }
      try history.forEachPart { part in count += PartOutcome(part.outcome).state == .open ? 1 : 2 }
      _ = try history.part(ofSector: 4)
      let story = try history.story(ofSector: 4)
      _ = try history.setup(ofProcess: story.process(in: story.pass))
      return count
    }
  }

  private static func mutation(of bytes: Data, _ random: inout SplitMix64) -> Data {
    var mutated = bytes
    if random.chance(0.05) {
      mutated = mutated.prefix(Int.random(in: 100..<bytes.count, using: &random))
    }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      // Half of the changes hit a page's beginning, which says how the rest is read.
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

  /// Makes a journal with rows in each table: three results, an open attempt of a process that
  /// died, and a sector that was given up.
  ///
  /// - Parameter parts: the job's parts if it grows, which have all of ten sectors.
  private static func journal(parts: [JobPart] = []) async throws -> Folder {
    let folder = try Folder()
    let journal = try await folder.open(sectors: parts.isEmpty ? 10 : nil, setup: .test)
    for part in parts { journal.record(.part(part)) }
    var attempts = Attempts()
    journal.changed(attempts.remote, .connected(address: "[::1]:4001", slots: 2, version: "0.1.0"))
    journal.changed(attempts.remote, .paused(failures: 5, seconds: 1))
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
    let database = try Database(path)
    try database.execute("PRAGMA ignore_check_constraints = ON")
    try database.execute(sql)
    try database.close()
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
  }
}
