import Foundation
import Testing

@testable import SkyNetCore

@Suite("Kinds of scan as text")
struct ScanKindTests {
  @Test(
    "A kind that is read is written the same", arguments: ["sources/1", "a/b/12", "sky scan/0"])
  func roundTrip(text: String) throws {
    let kind = try #require(ScanKind(text))
    #expect(kind.description == text)
    let json = try JSONEncoder().encode([kind])
    #expect(try JSONDecoder().decode([String].self, from: json) == [text])
    #expect(try JSONDecoder().decode([ScanKind].self, from: json) == [kind])
  }

  @Test(
    "Text without a name or a version is refused",
    arguments: ["", "/", "sources", "sources/", "/1", "sources/x", "sources/1.5", "sources/1 "])
  func refused(text: String) {
    #expect(ScanKind(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ScanKind].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test("Two versions of a scan are two kinds")
  func versions() {
    #expect(ScanKind(name: "sources", version: 1) != ScanKind(name: "sources", version: 2))
  }
}
