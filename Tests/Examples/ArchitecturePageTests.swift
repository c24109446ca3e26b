import Foundation
import Testing

/// The page describes a task's way by files and functions. The test checks that the sources have these.
@Suite("The page docs/architecture.md")
struct ArchitecturePageTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..").standardized

  @Test("A task's way has at most 60 stops, each a function in the file that the page names")
  func stops() throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/architecture.md"), encoding: .utf8)
    let stops = page.matches(of: #/(?m)^\d+\. `([\w.]+)\.(\w+)` in `([\w/+]+\.swift)`: /#)
    #expect((15...60).contains(stops.count))
    for stop in stops {
      let file = Self.root.appending(path: "Sources/\(stop.3)")
      let source = try String(contentsOf: file, encoding: .utf8)
      #expect(source.contains("func \(stop.2)"), "\(stop.1).\(stop.2) is not in \(stop.3)")
    }
  }
}
