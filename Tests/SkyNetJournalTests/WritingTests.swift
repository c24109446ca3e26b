import Foundation
import SkyNetCluster
import SkySQLite
import Testing

@testable import SkyNetCore
@testable import SkyNetJournal

/// The rows that entries become.
@Suite("Rows from entries", .timeLimit(.minutes(20)))
struct WritingTests {
  /// Outputs of the types that are written without an encoder, and of similar types.
  private static let outputs: [any Codable & Sendable] =
    (0..<0x180).compactMap(Unicode.Scalar.init).map { "a\($0)b" }
    + ["", "\"", "αβγ 🌌", "\u{2028}", "a/b", "\r\n", String(repeating: "long ", count: 1000)]
    + [0, -1, 42, Int.max, Int.min, Int8(-3), UInt64.max, 0.5, true, [1, 2], ["a": "b"]]
    + [String?.none, String?.some("some"), Int?.some(3)]

  @Test("Outputs are written as a `JSONEncoder` writes them")
  func outputsAreWrittenAsAnEncoderWritesThem() throws {
    for output in Self.outputs {
      var bytes: [UInt8] = [1]
      try OutputCoding.append(output, to: &bytes)
      let expected = try JSONEncoder().encode(output)
      #expect(bytes.dropFirst().elementsEqual(expected), "\(output)")
    }
  }

  @Test("Texts are read as a `JSONDecoder` reads them")
  func textsAreReadAsADecoderReadsThem() throws {
    let decoder = JSONDecoder()
    for case let output as String in Self.outputs {
      let json = String(decoding: try JSONEncoder().encode(output), as: UTF8.self)
      #expect(try OutputCoding.output(of: String.self, in: json, decoder) == output)
    }
    for json in ["", "\"", "text", "1", "\"a\"b\"", "\"\u{1}\"", "null"] {
      #expect(throws: DecodingError.self, "\(json)") {
        try OutputCoding.output(of: String.self, in: json, decoder)
      }
    }
    #expect(try OutputCoding.output(of: Int.self, in: "7", decoder) == 7)
    #expect(throws: DecodingError.self) {
      try OutputCoding.output(of: Int.self, in: "\"7\"", decoder)
    }
  }

  @Test("Keys are in the order of their tasks")
  func keysAreInTheOrderOfTheirTasks() throws {
    let tasks = [(0, 0), (0, 1), (0, 1 << 40 - 1), (1, 0), (1, 5), (1 << 22 - 1, 1 << 40 - 1)]
      .map { TaskID(pass: $0, sector: $1) }
    let keys = try tasks.map { try Key($0) }
    #expect(keys.map(\.task) == tasks)
    #expect(keys == keys.sorted() && .first < keys[0] && keys[5] < .last)
    for (pass, sector) in [(0, 1 << 40), (0, -1), (-1, 0), (1 << 22, 0)] {
      #expect(throws: DatabaseError.self) { try Key(TaskID(pass: pass, sector: sector)) }
    }
  }

  @Test("A task beyond the key's range ends the journal with an error")
  func aTaskBeyondTheRangeIsAnError() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.began(attempts.next(0, pass: 1 << 30))
    let error = await #expect(throws: JournalError.self) { try await journal.commit() }
    #expect(error?.code == .writeFailed)
    #expect(error?.description.contains("no room for sector 0") == true, "\(error as Any)")
    await journal.close()
  }

  @Test("A successful attempt takes one row")
  func aSuccessfulAttemptTakesOneRow() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    let (early, late) = (attempts.next(1), attempts.next(2, isLocal: false))
    journal.began(early)
    journal.began(late)
    try await journal.commit()
    #expect(try await journal.rows("attempt") == 2)
    journal.accepted(early, "early")
    journal.scanned(attempts.next(3, isLocal: false))
    try await journal.commit()
    #expect(try await journal.rows("attempt") == 1)
    #expect(try await journal.rows("result WHERE began <= ended AND sector IN (1, 3)") == 2)
    await journal.close()
    #expect(try Overview.read(folder.file(), failures: 0).attempts == 3)
  }

  @Test("Many results of one batch are restored in order", arguments: [1, 15, 16, 17, 1000])
  func manyAtOnceComeBackInOrder(count: Int) async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: count)
    var attempts = Attempts()
    for sector in (0..<count).shuffled() { journal.scanned(attempts.next(sector)) }
    // Larger than the bytes of a batch.
    let large = String(repeating: "x/", count: 300_000)
    for pass in 1...2 {
      let attempt = attempts.next(0, pass: pass)
      journal.began(attempt)
      journal.accepted(attempt, large)
    }
    try await journal.commit()
    await journal.close()
    let past = try await folder.open(sectors: count).all()
    #expect(past.map(\.id.sector) == Array(0..<count) + [0, 0])
    #expect(past.dropLast(2).map(\.output) == (0..<count).map { "out \($0)" })
    #expect(past.suffix(2).map(\.output) == [large, large])
  }

  @Test("Only attempts that just began on other systems are deferred")
  func onlyRecentRemoteAttemptsAreDeferred() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    let (here, there, before, ahead, short) = (
      attempts.next(1), attempts.next(2, isLocal: false), attempts.next(3, isLocal: false),
      attempts.next(4, isLocal: false), attempts.next(5, isLocal: false)
    )
    let entries = [
      RecordedEntry(entry: .began(here, isLocal: true), at: 9),
      RecordedEntry(entry: .began(there, isLocal: false), at: 9),
      RecordedEntry(entry: .began(before, isLocal: false), at: 7),
      // An entry recorded before the clock was set back.
      RecordedEntry(entry: .began(ahead, isLocal: false), at: 3600),
      RecordedEntry(entry: .began(short, isLocal: false), at: 9),
      RecordedEntry(
        entry: .accepted(short, output: "5", attempts: 1, seconds: 0, endsSector: true), at: 9),
    ]
    @Sendable func sectors(_ table: String, _ db: Database) throws -> [Int] {
      try db.rows("SELECT sector FROM \(table)").map { try $0[0] }
    }
    try await journal.use { db in
      var writer = BatchWriter(process: 1, place: 0)
      try writer.write(entries, to: db, deferring: 8...10)
      #expect(writer.hasDeferred)
      #expect(try sectors("attempt", db) == [1, 3, 4])
      #expect(try sectors("result", db) == [5])
      try writer.write([], to: db, deferring: 12...14)
      #expect(!writer.hasDeferred)
      #expect(try sectors("attempt", db) == [1, 2, 3, 4])
    }
    await journal.close()
  }

  @Test("Deferred attempts are written without further entries")
  func deferredAttemptsAreWritten() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    let commits = try await Commits.of(journal)
    try await withThrowingTaskGroup { group in
      group.addTask { try await journal.run() }
      journal.began(attempts.next(0, isLocal: false))
      for await _ in commits.all {
        if try await journal.rows("attempt") > 0 { break }
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    await journal.close()
  }
}

extension SQLiteJournal {
  func rows(_ table: String) async throws -> Int {
    try await use { try $0.value("SELECT count(*) FROM \(table)") ?? 0 }
  }
}
