import Foundation
import SkyTestSupport
import Testing

@testable import SkyProcess

@Suite("What programs write is kept")
struct GrowingOutputTests {
  /// Bytes that differ from place to place.
  private static func bytes(_ count: Int, from start: Int = 0) -> [UInt8] {
    (start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  private func add(_ bytes: [UInt8], to output: GrowingOutput) {
    bytes.withUnsafeBytes { output.append($0) }
  }

  @Test(
    "An output is whole, whether it is in memory, in a file, or began in the one and went on in the other",
    arguments: [0, 1, GrowingOutput.mostInMemory, GrowingOutput.mostInMemory + 1, 9 << 20])
  func whole(count: Int) throws {
    let folder = try TemporaryFolder()
    let output = GrowingOutput(folder: folder.path)
    for start in stride(from: 0, to: count, by: 65_537) {
      add(Self.bytes(min(65_537, count - start), from: start), to: output)
    }
    #expect(output.count == count)
    #expect(try output.whole() == Data(Self.bytes(count)))
    // The file has no name.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("What was read of a file is there after its output is gone")
  func outlives() throws {
    let folder = try TemporaryFolder()
    var output: GrowingOutput? = GrowingOutput(folder: folder.path)
    let bytes = Self.bytes(5 << 20)
    add(bytes, to: try #require(output))
    let whole = try output?.whole()
    output = nil
    #expect(whole == Data(bytes))
  }

  @Test(
    "A long output without a place to keep it is a fault that names the place, and a short one needs none"
  )
  func noPlace() throws {
    let output = GrowingOutput(folder: "/no/such/folder")
    add(Self.bytes(100), to: output)
    #expect(try output.whole().count == 100)
    add(Self.bytes(GrowingOutput.mostInMemory), to: output)
    #expect(output.fault == .outputNotKept("/no/such/folder", ENOENT))
    #expect(throws: ProgramFault.outputNotKept("/no/such/folder", ENOENT)) { try output.whole() }
    #expect("\(ProgramFault.outputNotKept("/a", ENOSPC))".contains("TMPDIR"))
  }
}
