import Foundation
import Testing

/// The page shows a program that `Examples/check` builds and runs.
@Suite("The page docs/detection.md")
struct DetectionPageTests {
  @Test("The page shows the whole program of the example")
  func program() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path).standardized, encoding: .utf8)
    }
    let blocks = OwnScanPageTests.swiftBlocks(of: try text("docs/detection.md"))
    #expect(blocks.map { $0 + "\n" } == [try text("Examples/Sources/FindSources/main.swift")])
  }
}
