import Foundation
import Testing

@testable import SkyNetCore
@testable import SkyNetJournal

/// What another program does to the files of a journal in use, and how it is told.
struct Meddling: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let words: String
  let act: @Sendable (_ path: String) throws -> Void

  static let all = [
    Meddling(testDescription: "deleted", words: "it was deleted while it was in use") {
      try FileManager.default.removeItem(atPath: $0)
    },
    Meddling(testDescription: "moved", words: "it was moved away while it was in use") {
      try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".moved")
    },
    Meddling(testDescription: "replaced", words: "another file was put in its place") {
      try Data("another".utf8).write(to: URL(fileURLWithPath: $0), options: .atomic)
    },
    Meddling(testDescription: "truncated", words: "it was truncated while it was in use") {
      #expect(truncate($0, 0) == 0)
    },
  ]
}

/// A journal whose file, or its log, is gone or changed while it is open.
@Suite("Lost files of an open journal", .timeLimit(.minutes(20)))
struct LostFileTests {
  @Test("A lost file is reported when the run ends", arguments: Meddling.all, ["", "-wal"])
  func aLostFileIsReportedAtTheEnd(meddling: Meddling, suffix: String) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.scanned(attempts.next(1))
    try await journal.commit()
    try meddling.act(folder.file() + suffix)
    journal.scanned(attempts.next(2))
    let error = await #expect(throws: JournalError.self) { try await journal.finish() }
    #expect(error?.code == .lost && error?.path == folder.file())
    #expect(error?.fault.contains(meddling.words) == true, "\(error as Any)")
    #expect(error?.fault.contains("start the same command again") == true)
    // Nothing is written any more: what is there now may be another program's.
    let before = try folder.contents()
    await journal.close()
    #expect(try folder.contents() == before)
  }

  /// By the shared memory other programs see that the journal is in use.
  @Test(
    "Lost shared memory is reported, and no entry is lost with it",
    arguments: Meddling.all.filter { $0.testDescription != "truncated" })
  func lostSharedMemoryIsReported(meddling: Meddling) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.scanned(attempts.next(1))
    try meddling.act(folder.file() + "-shm")
    let error = await #expect(throws: JournalError.self) { try await journal.finish() }
    #expect(error?.code == .lost && error?.fault.contains("-shm: ") == true, "\(error as Any)")
    #expect(error?.fault.contains("what was recorded is kept") == true, "\(error as Any)")
    let again = try await folder.afterDeath().open()
    #expect(again.progress.done == 1)
    await again.close()
    await journal.close()
  }

  @Test("A lost file is reported while the run goes on", arguments: Meddling.all)
  func aLostFileIsReportedDuringTheRun(meddling: Meddling) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    try meddling.act(folder.file())
    journal.scanned(attempts.next(1))
    // It returns only when it cannot go on.
    let error = await #expect(throws: JournalError.self) { try await journal.run() }
    #expect(error?.code == .lost, "\(error as Any)")
    await journal.close()
  }

  @Test("A journal that nothing else changes is not reported")
  func anUntouchedJournalIsNotReported() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    for sector in 0..<3 {
      journal.scanned(attempts.next(sector))
      try await journal.finish()
      // As `skynet runs` does meanwhile.
      _ = try Overview.read(folder.file(), failures: 0)
    }
    await journal.close()
    #expect(try await folder.open().progress.done == 3)
  }
}

@Suite("Files that grow")
struct GrowingFileTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func opened(_ text: String) throws -> (path: String, CInt) {
    let path = folder.file("growing")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let descriptor = open(path, O_RDWR | O_APPEND)
    try #require(descriptor >= 0)
    return (path, descriptor)
  }

  @Test("A growing file detects each kind of loss", arguments: Meddling.all)
  func eachKindOfLossIsDetected(meddling: Meddling) throws {
    let (path, descriptor) = try opened("start")
    defer { close(descriptor) }
    var file = GrowingFile(path: path)
    #expect(file.fault(descriptor, written: 5) == nil)
    try meddling.act(path)
    let fault = file.fault(descriptor)
    #expect(fault?.description.contains(meddling.words) == true)
  }

  @Test("A truncated file that grew again is detected by its start")
  func aFileThatGrewAgainIsDetected() throws {
    let (path, descriptor) = try opened("start")
    defer { close(descriptor) }
    var file = GrowingFile(path: path, start: Array("st".utf8))
    #expect(file.fault(descriptor) == nil)
    #expect(truncate(path, 0) == 0 && pwrite(descriptor, "more", 4, 0) == 4)
    #expect(truncate(path, 100) == 0)
    #expect(file.fault(descriptor) == .truncated(size: 0, written: 100))
  }

  @Test("Growth is no fault")
  func growthIsNoFault() throws {
    let (path, descriptor) = try opened("")
    defer { close(descriptor) }
    var file = GrowingFile(path: path, start: Array("st".utf8))
    #expect(file.fault(descriptor) == nil)
    for count in 1...3 {
      #expect(write(descriptor, "start", 5) == 5)
      #expect(file.fault(descriptor, written: 5 * count) == nil)
    }
    #expect(file.fault(descriptor, written: 16) == .truncated(size: 15, written: 16))
  }
}
