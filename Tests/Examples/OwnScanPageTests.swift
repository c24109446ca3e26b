import Foundation
import Testing

/// The page's code blocks must be parts of files that are compiled and run.
@Suite("The page docs/own-scan.md")
struct OwnScanPageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test("The page shows only code of the example's files")
  func blocks() throws {
    let page = Self.folder.appending(path: "../../docs/own-scan.md").standardized
    let blocks = Self.swiftBlocks(of: try String(contentsOf: page, encoding: .utf8))
    let programs = Self.folder.appending(path: "../../Examples/Sources").standardized
    let folders = ["Primes", "TwoPasses", "Squares", "Addresses"].map {
      programs.appending(path: $0)
    }
    let sources = try ([Self.folder] + folders)
      .flatMap {
        try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
      }
      .filter { $0.pathExtension == "swift" && !$0.lastPathComponent.hasSuffix("PageTests.swift") }
      .map { try String(contentsOf: $0, encoding: .utf8) }
    #expect(blocks.count >= 7)
    for block in blocks {
      #expect(sources.contains { $0.contains(block) }, "not in the example: \(block)")
    }
  }

  @Test("The tutorial's manifest is the one of the page")
  func manifest() throws {
    let page = Self.folder.appending(path: "../../docs/own-scan.md").standardized
    let tutorial = Self.folder.appending(
      path: "../../Sources/SkyNetKit/SkyNetKit.docc/Resources/Manifest.swift"
    ).standardized
    let manifest = try String(contentsOf: tutorial, encoding: .utf8)
    #expect(try String(contentsOf: page, encoding: .utf8).contains("```\n\(manifest)```\n"))
  }

  /// The text between each ```swift line and the next ``` line.
  static func swiftBlocks(of page: String) -> [String] {
    page.components(separatedBy: "\n```swift\n").dropFirst().compactMap { rest in
      rest.components(separatedBy: "\n```\n").first
    }
  }
}
