import Foundation
import Testing

@testable import SkyNetCore
@testable import SkyNetJournal

/// A change that another program makes to a file of an open journal, and the words of its error.
struct FileChange: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let words: String
  let act: @Sendable (_ path: String) throws -> Void

  static let all = [
    FileChange(testDescription: "deleted", words: "it was deleted while it was in use") {
      try FileManager.default.removeItem(atPath: $0)
    },
    FileChange(testDescription: "moved", words: "it was moved away while it was in use") {
      try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".moved")
    },
    FileChange(testDescription: "replaced", words: "another file was put in its place") {
      try Data("another".utf8).write(to: URL(fileURLWithPath: $0), options: .atomic)
    },
    FileChange(testDescription: "truncated", words: "it was truncated while it was in use") {
      #expect(truncate($0, 0) == 0)
    },
  ]
}

/// An open journal whose file or log another program removes or changes.
@Suite("Lost files of an open journal", .timeLimit(.minutes(20)))
struct LostFileTests {
  @Test("A lost file is reported when the run ends", arguments: FileChange.all, ["", "-wal"])
  func aLostFileIsReportedAtTheEnd(change: FileChange, suffix: String) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.scanned(attempts.next(1))
    try await journal.commit()
    try change.act(folder.file() + suffix)
    journal.scanned(attempts.next(2))
    let error = await #expect(throws: JournalError.self) { try await journal.finish() }
    #expect(error?.code == .lost && error?.path == folder.file())
    #expect(error?.fault.contains(change.words) == true, "\(error as Any)")
    #expect(error?.fault.contains("start the same command again") == true)
    #expect(error?.fault.contains("remove") == false, "\(error as Any)")
    // Nothing is written any more, since the files may be another program's by now.
    let before = try folder.contents()
    await journal.close()
    #expect(try folder.contents() == before)
  }

  /// Through the shared memory other programs see that the journal is in use.
  @Test(
    "Lost shared memory is reported, and no entry is lost with it",
    arguments: FileChange.all.filter { $0.testDescription != "truncated" })
  func lostSharedMemoryIsReported(change: FileChange) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.scanned(attempts.next(1))
    try change.act(folder.file() + "-shm")
    let error = await #expect(throws: JournalError.self) { try await journal.finish() }
    #expect(error?.code == .lost && error?.fault.contains("-shm: ") == true, "\(error as Any)")
    #expect(error?.fault.contains("what was recorded is kept") == true, "\(error as Any)")
    let again = try await folder.afterDeath().open()
    #expect(again.progress.done == 1)
    await again.close()
    await journal.close()
  }

  @Test("A lost file is reported while the run goes on", arguments: FileChange.all)
  func aLostFileIsReportedDuringTheRun(change: FileChange) async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    try change.act(folder.file())
    journal.scanned(attempts.next(1))
    // `run()` returns only if it cannot go on.
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
      // `skynet runs` may read the journal meanwhile.
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

  @Test("A growing file detects each kind of loss", arguments: FileChange.all)
  func eachKindOfLossIsDetected(change: FileChange) throws {
    let (path, descriptor) = try opened("start")
    defer { close(descriptor) }
    var file = GrowingFile(path: path)
    #expect(file.fault(descriptor, written: 5) == nil)
    try change.act(path)
    let fault = file.fault(descriptor)
    #expect(fault?.description.contains(change.words) == true)
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
