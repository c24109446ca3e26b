import Foundation
import Testing

@testable import SkyNetJournal

/// Journals with files beside them that SQLite would trust or write to.
@Suite("Files beside a journal", .timeLimit(.minutes(20)))
struct SideFileTests {
  /// Makes a closed journal, and a file that does not belong to it.
  private static func journal() async throws -> (folder: Folder, other: String) {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.scanned(attempts.next(1))
    try await journal.finish()
    await journal.close()
    let other = folder.file("other")
    try Data("another's".utf8).write(to: URL(fileURLWithPath: other))
    return (folder, other)
  }

  private func expectRefusal(_ folder: Folder, _ words: String) async throws {
    let before = try folder.contents()
    let read = #expect(throws: JournalError.self) {
      try Overview.read(folder.file(), failures: .max)
    }
    let opened = await #expect(throws: JournalError.self) { try await folder.open() }
    for error in [read, opened] {
      #expect(error?.code == .damaged && error?.path == folder.file(), "\(error as Any)")
      #expect(error?.fault.contains(words) == true, "\(error as Any)")
    }
    #expect(try folder.contents() == before)
  }

  @Test("A link in place of a side file is not followed", arguments: ["-wal", "-shm"])
  func aLinkInTheirPlaceIsNotFollowed(suffix: String) async throws {
    let (folder, other) = try await Self.journal()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file() + suffix, withDestinationPath: other)
    try await expectRefusal(folder, "is no regular file")
  }

  /// A rollback journal's end names a file, which SQLite deletes after it has rolled back.
  @Test("A rollback journal is not played back")
  func aRollbackJournalIsNotPlayedBack() async throws {
    let (folder, other) = try await Self.journal()
    let size = try folder.contents()["run.sqlite"]?.count ?? 0
    try Self.rollbackJournal(deleting: other, pages: UInt32(size / 4096))
      .write(to: URL(fileURLWithPath: folder.file() + "-journal"))
    try await expectRefusal(folder, "-journal comes not from skynet")
    #expect(FileManager.default.fileExists(atPath: other))
  }

  /// The SQLite file format, section 3: a header with no page in it, and a super-journal's name.
  private static func rollbackJournal(deleting path: String, pages: UInt32) -> Data {
    func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
    let name = Data(path.utf8)
    let magic = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
    var bytes = magic + [0, 0, pages, 512, 4096].map(number).reduce(Data(), +)
    bytes += Data(count: 512 - bytes.count)
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    // The page with SQLite's lock bytes, which is never stored.
    bytes += number((1 << 30) / 4096 + 1) + name + number(UInt32(name.count)) + number(sum) + magic
    return bytes
  }

  @Test("A new journal is not written through a link")
  func aNewJournalIsNotWrittenThroughALink() async throws {
    let (folder, other) = try await Self.journal()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("new.sqlite") + ".partial", withDestinationPath: other)
    let before = try folder.contents()
    let error = await #expect(throws: JournalError.self) {
      try await SQLiteJournal.open(folder.file("new.sqlite"), for: .test, sectors: 10)
    }
    #expect(error?.code == .inaccessible)
    #expect(error?.fault.contains(".partial is a link") == true, "\(error as Any)")
    #expect(try folder.contents() == before)
  }

  /// SQLite makes the shared memory anew if no other process has the journal open.
  @Test("Shared memory of any length is made anew", arguments: [0, 1, 3, 1000, 32_768, 40_000])
  func sharedMemoryOfAnyLengthIsMadeAnew(size: Int) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    for sector in 0..<3 { journal.scanned(attempts.next(sector)) }
    try await journal.commit()
    let remains = try folder.afterDeath()
    await journal.close()
    var random = SystemRandomNumberGenerator()
    let bytes = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    try bytes.write(to: URL(fileURLWithPath: remains.file() + "-shm"))
    #expect(try Overview.read(remains.file(), failures: 0).progress.done == 3)
    try bytes.write(to: URL(fileURLWithPath: remains.file() + "-shm"))
    let again = try await remains.open()
    #expect(again.progress.done == 3)
    await again.close()
  }
}
