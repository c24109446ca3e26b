import Foundation
import SkyNetCore
import SkySQLite
import Testing

@testable import SkyNetJournal

/// Files that are refused and stay unchanged.
@Suite("Opening a journal")
struct OpeningTests {
  @Test("A journal in use is refused, and can be read")
  func aJournalInUseIsRefusedAndCanBeRead() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    let error = await #expect(throws: JournalError.self) { try await folder.open() }
    #expect(error?.code == .inUse)
    #expect(error?.description.contains("process \(getpid())") == true, "\(error as Any)")
    let overview = try Overview.read(folder.file(), failures: 0)
    #expect(overview.isInUse && overview.starts == 1 && overview.deaths == 0)
    await journal.close()
    #expect(try Overview.read(folder.file(), failures: 0).isInUse == false)
    await (try await folder.open()).close()
  }

  /// The length is what a working directory makes of a short name.
  @Test("A path that SQLite cannot open is refused with the limit, and the longest one is not")
  func aPathThatIsTooLong() async throws {
    let folder = try Folder()
    let directory = folder.file(String(repeating: "d", count: 230))
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    func path(_ bytes: Int) -> String {
      directory + "/" + String(repeating: "j", count: bytes - directory.utf8.count - 1)
    }
    func open(_ bytes: Int) async throws -> SQLiteJournal {
      try await SQLiteJournal.open(path(bytes), for: .test, sectors: 10)
    }
    await (try await open(496)).close()
    try FileManager.default.moveItem(atPath: path(496), toPath: path(504))
    await (try await open(504)).close()
    let error = await #expect(throws: JournalError.self) { try await open(497) }
    #expect(error?.description.contains("has 497 bytes, and SQLite takes at most 496") == true)
    try FileManager.default.moveItem(atPath: path(504), toPath: path(505))
    let unread = #expect(throws: JournalError.self) { try Overview.read(path(505), failures: 0) }
    #expect(unread?.description.contains("has 505 bytes, and SQLite takes at most 504") == true)
  }

  @Test("A journal of another job is refused with the differences")
  func anotherJobIsRefusedWithWhatDiffers() async throws {
    let folder = try Folder()
    await (try await folder.open()).close()
    let before = try folder.contents()
    let other = JobIdentity([
      .init("scan", "test/1"), .init("sector size", "128"), .init("image", "new"),
      .init("sectors", "10"),
    ])
    let error = await #expect(throws: JournalError.self) { try await folder.open(other) }
    #expect(error?.code == .otherJob)
    let text = error?.description ?? ""
    #expect(text.contains("sector size: 256, now 128; image: not recorded, now new"), "\(text)")
    #expect(!text.contains("test/1"))
    #expect(try folder.contents() == before)
  }

  @Test(
    "A journal of another scan is refused in one sentence that names both, and of many facts with five"
  )
  func anotherScanIsRefusedInOneSentence() async throws {
    let folder = try Folder()
    let many = (1...9).map { JobIdentity.Fact("fact \($0)", "\($0)") }
    await (try await folder.open(JobIdentity([.init("scan", "test/1")] + many))).close()
    let other = JobIdentity([.init("scan", "sources/7"), .init("threshold", "1.5")])
    let error = await #expect(throws: JournalError.self) { try await folder.open(other) }
    let text = error?.description ?? ""
    #expect(text.contains("another job, test/1 of ") && text.contains("this one is sources/7 of "))
    #expect(!text.contains("fact") && !text.contains("threshold"), "\(text)")

    let changed = (1...9).map { JobIdentity.Fact("fact \($0)", "new") }
    let same = await #expect(throws: JournalError.self) {
      try await folder.open(JobIdentity([.init("scan", "test/1")] + changed))
    }
    #expect(
      same?.description.contains("fact 5: 5, now new; and 4 more)") == true,
      "\(same?.description ?? "")")
  }

  @Test("A journal of another program is refused with both programs")
  func anotherProgram() async throws {
    let folder = try Folder()
    func identity(_ words: [String]) -> JobIdentity {
      JobIdentity([.init("program", "\(words)"), .init("inputs", "texts")])
    }
    let long = String(repeating: "x", count: 80)
    await (try await folder.open(identity(["/opt/fit", "-n", "{}", long]))).close()
    let error = await #expect(throws: JournalError.self) {
      try await folder.open(identity(["/opt/reduce", "{1}"]))
    }
    let text = error?.description ?? ""
    #expect(
      text.contains(
        #"(program: ["/opt/fit", "-n", "{}", "\#(String(repeating: "x", count: 38))…, now ["/opt/reduce", "{1}"])"#
      ),
      "\(text)")
  }

  @Test(
    "A file that is no database is refused",
    arguments: [
      ("text", Data("No database begins like this, whatever it says afterwards.".utf8)),
      ("short", Data("SQLite format 3\0".utf8)),
    ])
  func anotherFileIsRefused(name: String, bytes: Data) async throws {
    try await expectRefusal(.init(bytes), code: name == "text" ? .notAJournal : .damaged)
  }

  @Test("Another program's database is refused")
  func anotherProgramsDatabaseIsRefused() async throws {
    let folder = try Folder()
    let database = try Database(folder.file())
    try database.execute("CREATE TABLE job (id INTEGER)")
    try database.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    try await expectRefusal(bytes, code: .notAJournal)
  }

  @Test("A journal in another format is refused", arguments: [1, 2, 3, 4, 9] as [UInt8])
  func anotherFormatIsRefused(version: UInt8) async throws {
    let folder = try Folder()
    await (try await folder.open()).close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    bytes[63] = version
    let error = try await expectRefusal(bytes, code: .unknownFormat)
    let fault = "its format is \(version), and this version of skynet reads 5 only"
    #expect(error?.fault.hasPrefix(fault) == true)
  }

  @Test("A damaged journal is refused", arguments: ["half", "zeros", "output"])
  func aDamagedJournalIsRefused(how: String) async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: 2000)
    var attempts = Attempts()
    for sector in 0..<2000 { journal.scanned(attempts.next(sector)) }
    await journal.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    switch how {
    case "half": bytes = bytes.prefix(bytes.count / 2)
    case "zeros": bytes.replaceSubrange(40_000..<60_000, with: Data(count: 20_000))
    default:
      let place = try #require(bytes.range(of: Data(#""out 1500""#.utf8)))
      bytes.replaceSubrange(place, with: Data(#""out 1600""#.utf8))
    }
    try await expectRefusal(bytes, code: .damaged)
  }

  @discardableResult
  private func expectRefusal(
    _ bytes: Data, code: JournalError.Code
  ) async throws -> JournalError? {
    let folder = try Folder()
    try bytes.write(to: URL(fileURLWithPath: folder.file()))
    let error = await #expect(throws: JournalError.self) { try await folder.open() }
    #expect(error?.code == code, "\(error as Any)")
    #expect(throws: JournalError.self) { try Overview.read(folder.file(), failures: 0) }
    #expect(try folder.contents() == ["run.sqlite": bytes])
    return error
  }

  @Test("An empty file becomes a journal")
  func anEmptyFileIsMadeAJournal() async throws {
    let folder = try Folder()
    try Data().write(to: URL(fileURLWithPath: folder.file()))
    await (try await folder.open()).close()
    #expect(try folder.contents().keys.sorted() == ["run.sqlite"])
  }

  @Test("A log without its journal is not used for a new journal")
  func aLogWithoutItsJournalIsNotTakenForTheNewOnes() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    let remains = try folder.afterDeath()
    await journal.close()
    try FileManager.default.removeItem(atPath: remains.file())
    let before = try remains.contents()
    let error = await #expect(throws: JournalError.self) { try await remains.open() }
    #expect(error?.code == .damaged && error?.description.contains("-wal") == true)
    #expect(try remains.contents() == before)
  }

  @Test("A path where no file can be made is refused")
  func aPlaceWhereNothingCanBeIsRefused() async throws {
    let folder = try Folder()
    for path in [folder.path, folder.file("absent/run.sqlite"), "/dev/null"] {
      let error = await #expect(throws: JournalError.self, "\(path)") {
        try await SQLiteJournal.open(path, for: .test, sectors: 10)
      }
      #expect(error?.path == path)
      #expect(throws: JournalError.self, "\(path)") { try Overview.read(path, failures: 0) }
    }
    #expect(throws: JournalError.self) { try Overview.read(folder.file(), failures: 0) }
    #expect(try folder.contents().isEmpty)
  }

  @Test(
    "A file without write permission is refused",
    .enabled(if: geteuid() != 0, "root may write to any file"))
  func aFileThatMayNotBeWrittenIsRefused() async throws {
    let folder = try Folder()
    await (try await folder.open()).close()
    chmod(folder.file(), 0o444)
    let error = await #expect(throws: JournalError.self) { try await folder.open() }
    #expect(error?.code == .inaccessible)
    #expect(try Overview.read(folder.file(), failures: 0).starts == 1)
  }

  @Test("Reading leaves no files behind")
  func readingLeavesNothingBehind() async throws {
    let folder = try Folder()
    await (try await folder.open()).close()
    let before = try folder.contents()
    #expect(before.keys.sorted() == ["run.sqlite"])
    _ = try Overview.read(folder.file(), failures: 0)
    #expect(try folder.contents() == before)
  }

  /// A process that is just being started has copies of all descriptors until it runs its program.
  @Test("A lock that was released is free, also while its descriptor has a copy")
  func copiedLock() throws {
    let folder = try Folder()
    let path = folder.file()
    guard case .taken(let lock, _, _) = try FileLock.take(path, making: true) else {
      Issue.record("the lock of a new file is held")
      return
    }
    let copy = lock.withDescriptor { dup($0 ?? -1) }
    defer { close(copy) }
    lock.release()
    guard case .taken(let second, _, _) = try FileLock.take(path) else {
      Issue.record("the copy holds the lock")
      return
    }
    second.release()
  }
}
