import Foundation
import SkyTestSupport
import Testing

@testable import SkyFiles

@Suite("Lines of a file")
struct LineReaderTests {
  private func lines(_ text: String, most: Int = 10) throws -> [String] {
    let folder = try TemporaryFolder()
    var reader = try LineReader(try folder.write("lines", Array(text.utf8)), most: most)
    var lines: [String] = []
    while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  @Test(
    "Each line is read, with an end or without",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\na\n", ["", "", "a"]),
      ("0123456789\n0123456789\n", ["0123456789", "0123456789"]),
    ])
  func eachLine(text: String, lines: [String]) throws {
    #expect(try self.lines(text) == lines)
  }

  @Test("Lines longer than a read are whole")
  func longLines() throws {
    let texts = [1, 65_535, 65_536, 200_000].map { String(repeating: "x", count: $0) }
    #expect(try lines(texts.joined(separator: "\n"), most: 200_000) == texts)
  }

  @Test("A line over the limit is refused", arguments: ["01234567890", "a\n01234567890\nb"])
  func tooLong(text: String) {
    #expect(throws: SmallFile.Failure.tooLarge) { try lines(text) }
  }

  @Test("A device without end is read up to the limit")
  func endless() throws {
    var reader = try LineReader("/dev/zero", most: 1 << 20)
    #expect(throws: SmallFile.Failure.tooLarge) { try reader.next() }
  }

  @Test("A file that is not there is told apart from one that cannot be read")
  func absent() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SmallFile.Failure.absent) { try LineReader(folder.file("none"), most: 1) }
    var reader = try LineReader(folder.path, most: 1)
    #expect(throws: SmallFile.Failure.unreadable) { try reader.next() }
  }
}
