import Foundation
import GRDB
import SkyNetCluster
import SkyNetCore
import TestSupport
import Testing

@testable import SkyNetJournal

/// Journals of former formats, and what the present one adds.
@Suite("Formats of a journal", .inTurn)
struct FormatTests {
  /// The tables of version 2, as the software of that time made them.
  static let version2 = """
    CREATE TABLE job (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL, sectors INTEGER NOT NULL,
      created TEXT NOT NULL, software TEXT NOT NULL) STRICT;
    CREATE TABLE process (
      number INTEGER PRIMARY KEY, pid INTEGER NOT NULL, software TEXT NOT NULL,
      started TEXT NOT NULL, ended TEXT) STRICT;
    CREATE TABLE system (
      number INTEGER PRIMARY KEY, name TEXT NOT NULL, incarnation TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE attempt (
      task INTEGER NOT NULL, pass INTEGER AS (task >> 40) VIRTUAL,
    sector INTEGER AS (task & 1099511627775) VIRTUAL,
      process INTEGER NOT NULL, id INTEGER NOT NULL,
      system INTEGER NOT NULL, local INTEGER NOT NULL,
      began REAL NOT NULL, ended REAL,
      ending TEXT, reason TEXT, had_started INTEGER, seconds REAL,
      PRIMARY KEY (task, process, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE result (
      task INTEGER PRIMARY KEY, pass INTEGER AS (task >> 40) VIRTUAL,
    sector INTEGER AS (task & 1099511627775) VIRTUAL,
      output TEXT NOT NULL, process INTEGER NOT NULL, system INTEGER NOT NULL,
      began REAL NOT NULL, ended REAL NOT NULL, attempts INTEGER NOT NULL, seconds REAL NOT NULL,
      checksum INTEGER NOT NULL, ends INTEGER NOT NULL) STRICT;
    CREATE TABLE given_up (
      task INTEGER PRIMARY KEY, pass INTEGER AS (task >> 40) VIRTUAL,
    sector INTEGER AS (task & 1099511627775) VIRTUAL, story TEXT NOT NULL) STRICT;
    """

  /// The tables that version 3 added, as the software of that time made them.
  static let version3 = """
    CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), run TEXT NOT NULL) STRICT;
    CREATE TABLE setup (process INTEGER PRIMARY KEY, setup TEXT NOT NULL) STRICT;
    CREATE TABLE presence (
      number INTEGER PRIMARY KEY, process INTEGER NOT NULL, system INTEGER NOT NULL,
      at REAL NOT NULL, change TEXT NOT NULL, reason TEXT, seconds REAL, failures INTEGER,
      address TEXT, slots INTEGER, version TEXT) STRICT;
    """

  /// A journal of a former version with two results, of a process that died.
  private static func journal(version: Int = 2) async throws -> Folder {
    let present = try Folder()
    let journal = try await present.open()
    var attempts = Attempts()
    for sector in 0..<2 { journal.scanned(attempts.next(sector)) }
    await journal.close()
    let folder = try Folder()
    let database = try DatabaseQueue(path: folder.file())
    try await database.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA application_id = 0x536b794e; PRAGMA user_version = \(version)")
      try db.execute(sql: version < 3 ? version2 : version2 + version3)
      try db.execute(sql: "ATTACH ? AS present", arguments: [present.file()])
      try db.execute(
        sql: """
          INSERT INTO job SELECT * FROM present.job;
          INSERT INTO process SELECT number, pid, software, started, NULL FROM present.process;
          INSERT INTO system SELECT * FROM present.system;
          INSERT INTO result (task, output, process, system, began, ended, attempts, seconds,
              checksum, ends)
            SELECT task, output, process, system, began, ended, attempts, seconds, checksum, ends
            FROM present.result;
          """)
      if version >= 3 { try db.execute(sql: "INSERT INTO run SELECT * FROM present.run") }
      try db.execute(
        sql: """
          DETACH present; PRAGMA journal_mode = WAL;
          """)
    }
    try database.close()
    return folder
  }

  /// Not asynchronous, so that it reads with the database's blocking methods.
  private func version(_ folder: Folder) throws -> Int? {
    let database = try DatabaseQueue(path: folder.file())
    defer { try? database.close() }
    return try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
  }

  private func changes(_ folder: Folder) throws -> [Row] {
    let database = try DatabaseQueue(path: folder.file())
    defer { try? database.close() }
    return try database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT change, process, name, incarnation, at, address, slots, version, seconds
          FROM presence JOIN system ON system.number = presence.system ORDER BY presence.number
          """)
    }
  }

  @Test("A journal of version 2 is read as it is")
  func theFormerFormatIsRead() async throws {
    let folder = try await Self.journal()
    let before = try folder.contents()
    let overview = try Overview.read(folder.file(), failures: 9)
    #expect(overview.run == nil)
    #expect(overview.progress.done == 2 && overview.starts == 1 && overview.deaths == 1)
    #expect(try folder.contents() == before)
  }

  @Test("A process that continues a run of version 2 makes the present version of it")
  func theFormerFormatIsUpgraded() async throws {
    let folder = try await Self.journal()
    let journal = try await folder.open(setup: .test)
    let run = try #require(journal.run)
    #expect(journal.progress.done == 2 && journal.progress.isResumed)
    #expect(try await journal.all().compactMap(\.output) == ["out 0", "out 1"])
    await journal.close()
    #expect(try version(folder) == 4)
    #expect(try Overview.read(folder.file(), failures: 9).run == run)
    let again = try await folder.open()
    #expect(again.run == run)
    await again.close()
  }

  @Test("A journal of version 3 is read as it is, and its run goes on with its id in version 4")
  func version3IsReadAndUpgraded() async throws {
    let folder = try await Self.journal(version: 3)
    let before = try folder.contents()
    let overview = try Overview.read(folder.file(), failures: 9)
    #expect(overview.run != nil && overview.progress.done == 2 && overview.parts == nil)
    try RunHistory.read(folder.file()) { history in
      try history.forEachPart { _ in Issue.record("a part of a version without parts") }
      #expect(try history.part(ofSector: 0) == nil)
    }
    #expect(try folder.contents() == before)
    let journal = try await folder.open()
    #expect(journal.run == overview.run)
    #expect(try await journal.all().compactMap(\.output) == ["out 0", "out 1"])
    #expect(try await journal.parts().isEmpty)
    await journal.close()
    #expect(try version(folder) == 4)
    #expect(try Overview.read(folder.file(), failures: 9).progress.done == 2)
  }

  @Test("A job of a former version does not grow", arguments: [2, 3])
  func formerJobsDoNotGrow(version: Int) async throws {
    let folder = try await Self.journal(version: version)
    let before = try folder.contents()
    await #expect(throws: JournalError.self) { try await folder.open(sectors: nil) }
    #expect(try folder.contents() == before)
    try grow(folder)
    #expect(throws: JournalError.self) { try Overview.read(folder.file(), failures: 9) }
  }

  private func grow(_ folder: Folder) throws {
    let database = try DatabaseQueue(path: folder.file())
    defer { try? database.close() }
    try database.writeWithoutTransaction { try $0.execute(sql: "UPDATE job SET sectors = 0") }
  }

  @Test("A journal of version 2 that is refused stays as it is")
  func aRefusedJournalIsNotUpgraded() async throws {
    let folder = try await Self.journal()
    let before = try folder.contents()
    let other = JobIdentity([.init("scan", "another/1")])
    await #expect(throws: JournalError.self) { try await folder.open(other) }
    #expect(try folder.contents() == before)
  }

  @Test("An upgrade survives a death right after it, while the file's first bytes tell version 2")
  func anUpgradeInTheLogIsRead() async throws {
    let folder = try await Self.journal()
    let journal = try await folder.open()
    let remains = try folder.afterDeath()
    await journal.close()
    let header = try Data(contentsOf: URL(fileURLWithPath: remains.file())).prefix(64)
    #expect(header[63] == 2)
    #expect(try Overview.read(remains.file(), failures: 9).run == journal.run)
    let next = try await remains.open()
    #expect(next.run == journal.run)
    await next.close()
  }

  @Test("Each process that continues a run has the run's id")
  func theRunKeepsItsID() async throws {
    let folder = try Folder()
    let first = try await folder.open()
    let remains = try folder.afterDeath()
    await first.close()
    let second = try await remains.open()
    #expect(first.run != nil && second.run == first.run)
    await second.close()
    let another = try Folder()
    let other = try await another.open()
    #expect(other.run != first.run)
    await other.close()
  }

  @Test("Changes of systems are recorded with their process, system and time")
  func changesAreRecorded() async throws {
    let folder = try Folder()
    let journal = try await folder.open(setup: .test)
    let system = Incarnation()
    let begin = Date().timeIntervalSince1970
    journal.changed(system, .connected(address: "[::1]:4001", slots: 3, version: "9"))
    journal.changed(system, .silent(seconds: 2.5))
    journal.changed(system, .heard)
    journal.changed(system, .disconnected(reason: String(repeating: "x", count: 2 << 20)))
    await journal.close()
    let rows = try changes(folder)
    func texts(_ column: String) -> [String?] { rows.map { $0[column] } }
    #expect(texts("change") == ["connected", "silent", "heard", "disconnected"])
    #expect(rows.map { $0["process"] as Int } == [1, 1, 1, 1])
    #expect(texts("incarnation") == Array(repeating: "\(system)", count: 4))
    #expect(texts("name") == Array(repeating: "a", count: 4))
    #expect(texts("address") == ["[::1]:4001", nil, nil, nil])
    #expect(texts("version") == ["9", nil, nil, nil])
    #expect(rows.map { $0["slots"] as Int? } == [3, nil, nil, nil])
    #expect(rows.map { $0["seconds"] as Double? } == [nil, 2.5, nil, nil])
    let times = rows.map { $0["at"] as Double }
    #expect(times.allSatisfy { abs($0 - begin) < 60 })
    // A reason without end is cut, so that the journal can be read.
    _ = try Overview.read(folder.file(), failures: 0)
  }
}
