import Foundation
import SkyNetCluster
import SkyNetCore
import SkyScan
import Testing

@testable import SkyNetCLI
@testable import SkyNetCommand
@testable import SkySimulation

/// Files that `skynet replay --save` writes, and that may come from anybody.
@Suite("Saved sectors")
struct ReplayFileTests {
  init() { Program.become(SkyNet.self) }

  private static let replay = Replay(
    task: ScanTask(
      TaskID(pass: 0, sector: 7), of: RunID(number: 0x0123_4567_89AB_CDEF), for: SimulatedScan.self,
      settings: SimulatedScan.Settings(
        lengths: .init(median: 0), failingEvery: 1, sectorBytes: 3),
      sector: SimulatedScan.Sector(7, pixels: BulkBytes(Data([1, 2, 3]))),
      attempt: ScanAttempt(number: 2)),
    name: "simulated sky", passName: nil, story: ["on b: failed: \u{1b}[2J"], recorded: "00")

  private func withFile<T>(_ contents: Data, _ body: (String) throws -> T) throws -> T {
    let path = NSTemporaryDirectory() + "skynet-saved-\(UUID().uuidString)"
    defer { unlink(path) }
    try contents.write(to: URL(fileURLWithPath: path))
    return try body(path)
  }

  @Test("A sector whose output is another than in the run is no success")
  func differs() async throws {
    var replay = Replay(
      task: ScanTask(
        TaskID(pass: 0, sector: 7), of: RunID(), for: SimulatedScan.self,
        settings: SimulatedScan.Settings(lengths: .init(median: 0), failingEvery: 0),
        sector: SimulatedScan.Sector(7), attempt: ScanAttempt(number: 1)),
      name: "simulated sky")
    let alone = try await replay.run()
    #expect(alone.isSame == nil && alone.isSuccess)
    replay.recorded = try Replay.hash(of: try alone.result.get())
    #expect(try await replay.run().isSuccess)
    replay.recorded = "00"
    let other = try await replay.run()
    #expect(other.isSame == false && !other.isSuccess)
    #expect(try ReplayText.text(other).hasSuffix("NOT the same as in the run\n"))
  }

  @Test("A saved sector is read with its settings, pixels and story, and throws the same")
  func aSavedSectorIsRead() async throws {
    let contents = try ReplayFile.contents(of: Self.replay)
    let isOne = try withFile(contents) { try ReplayFile.isOne($0) }
    #expect(isOne)
    let read = try withFile(contents) { try ReplayFile.read($0) }
    #expect(read.task.id == Self.replay.task.id && read.task.run == Self.replay.task.run)
    #expect(read.task.attempt == Self.replay.task.attempt)
    #expect(read.name == "simulated sky" && read.story == Self.replay.story)
    #expect(read.recorded == "00")
    let outcome = try await read.run()
    guard case .failure(let error) = outcome.result else {
      Issue.record("every attempt fails")
      return
    }
    #expect("\(error)" == "simulated failure (every attempt)")
    #expect(!ReplayText.head(read).contains("\u{1b}"))
  }

  @Test("A file that is cut off, changed, or of another version is refused", arguments: 0..<7)
  func aDamagedFileIsRefused(how: Int) throws {
    var contents = try ReplayFile.contents(of: Self.replay)
    func replacing(_ old: String, _ new: String) {
      if let place = contents.range(of: Data(old.utf8)) {
        contents.replaceSubrange(place, with: Data(new.utf8))
      }
    }
    switch how {
    case 0: contents = contents.dropLast()
    case 1: contents[contents.count - 1] ^= 0xff
    case 2: replacing("skynet replay 1", "skynet replay 9")
    case 3: replacing("\"bulk\":3", "\"bulk\":-3")
    case 4: replacing("\"bulk\":3", "\"bulk\":9223372036854775807")
    case 5: contents = contents.prefix(30)
    default: contents += Data(count: 10)
    }
    try withFile(contents) { path in
      let error = #expect(throws: ReplayError.self) { try ReplayFile.read(path) }
      #expect(error?.description.contains("make it again") == true)
    }
  }

  @Test("A journal, a directory and a device are no saved sectors")
  func otherFilesAreNone() throws {
    let isJournalOne = try withFile(Data("SQLite format 3\0".utf8)) { try ReplayFile.isOne($0) }
    #expect(!isJournalOne)
    for path in [NSTemporaryDirectory(), "/dev/zero", "/nonexistent"] {
      let isOne = try ReplayFile.isOne(path)
      #expect(!isOne)
    }
  }
}
