import Foundation
import Testing

@testable import SkyNetWeb

@Suite("The page's files")
struct PageFileTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/SkyNetWeb/Page")

  @Test("The program has the files of the folder as they are")
  func filesAreEmbedded() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(PageFile.all.map(\.name).sorted() == names)
    for file in PageFile.all {
      let there = try String(
        contentsOf: Self.folder.appendingPathComponent(file.name), encoding: .utf8)
      #expect(file.text == there, "\(file.name)")
    }
  }

  @Test("The page needs nothing from elsewhere, and has no scripts or styles in its text")
  func nothingIsFromElsewhere() throws {
    let page = try #require(PageFile.named("index.html"))
    #expect(page.type == "text/html; charset=utf-8")
    #expect(!page.text.contains("<style") && !page.text.contains("javascript:"))
    for script in page.text.components(separatedBy: "<script").dropFirst() {
      #expect(script.contains("src=\"") && script.contains("></script>"))
    }
    for file in PageFile.all {
      for place in ["src=\"http", "href=\"http", "url(http", "import(", "eval("] {
        #expect(!file.text.contains(place), "\(file.name) has \(place)")
      }
    }
  }
}
