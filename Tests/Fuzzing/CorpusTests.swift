import Foundation
import SkyNetFuzz
import Testing

/// The first inputs of fuzzing, and the inputs that once broke a target. See `docs/testing.md`.
@Suite("The fuzzers' corpus")
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Corpus")

  private static func files(of target: FuzzTarget) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: target.rawValue), includingPropertiesForKeys: nil)
  }

  @Test("No input of the corpus breaks its target", arguments: FuzzTarget.allCases)
  func breaksNothing(target: FuzzTarget) throws {
    for file in try Self.files(of: target) {
      let input = [UInt8](try Data(contentsOf: file))
      #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.run(input) }
    }
  }

  /// If SKYNET_WRITE_CORPUS is set, the test writes the files first.
  @Test("The corpus has the seeds that the code makes", arguments: FuzzTarget.allCases)
  func seeds(target: FuzzTarget) throws {
    let folder = Self.folder.appending(path: target.rawValue)
    let seeds = Seeds.of(target)
    try #require(seeds.count >= 3)
    for (name, bytes) in seeds {
      let file = folder.appending(path: name)
      if ProcessInfo.processInfo.environment["SKYNET_WRITE_CORPUS"] != nil {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
      }
      #expect(try [UInt8](Data(contentsOf: file)) == bytes, "\(name)")
    }
  }

  @Test("Every folder of the corpus belongs to a target")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
  }
}
