import Foundation
import Testing

/// The page shows code; this keeps it code that is compiled and run.
@Suite("docs/own-scan.md")
struct OwnScanPageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test("shows nothing but what is in the example's files")
  func blocks() throws {
    let page = Self.folder.appending(path: "../../docs/own-scan.md").standardized
    let blocks = Self.swiftBlocks(of: try String(contentsOf: page, encoding: .utf8))
    let sources = try FileManager.default
      .contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("OwnScan") && $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
    #expect(blocks.count >= 4)
    for block in blocks {
      #expect(sources.contains { $0.contains(block) }, "not in the example: \(block)")
    }
  }

  /// The text between each ```swift line and the next ``` line.
  private static func swiftBlocks(of page: String) -> [String] {
    page.components(separatedBy: "\n```swift\n").dropFirst().compactMap { rest in
      rest.components(separatedBy: "\n```\n").first
    }
  }
}
