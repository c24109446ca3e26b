import Foundation
import SkyTestSupport
import Testing

@testable import SkyFiles

@Suite("Patterns of files' names")
struct FilePatternTests {
  @Test("A pattern names the files that match, in order; other names stay as they are")
  func files() throws {
    let folder = try TemporaryFolder()
    let files = try ["a-1", "a-10", "a-2", "b-1", "c*"].map { try folder.write($0, []) }
    #expect(FilePattern.files(folder.file("a-*")) == Array(files.prefix(3)))
    #expect(FilePattern.files(folder.file("?-1")) == [files[0], files[3]])
    for name in ["a-1", "c*", "d*", "d"] {
      #expect(FilePattern.files(folder.file(name)) == [folder.file(name)])
    }
  }

  @Test(
    "A folder that is there is that folder, whatever its name",
    arguments: ["[k]", "a*", "back\\slash", "?", "\u{301}k", "[k]/[k]", "cafe\u{301}"])
  func folders(name: String) throws {
    let folder = try TemporaryFolder()
    for place in [name, "k", "caf\u{e9}"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(place), withIntermediateDirectories: true)
    }
    _ = try folder.write("k/a.fits", [])
    let files = try ["a.fits", "b[1].fits"].map { try folder.write("\(name)/\($0)", []) }
    let found = FilePattern.files(folder.file("\(name)/*.fits"))
    #expect(found.map { ExactText($0) } == files.map { ExactText($0) })
    #expect(FilePattern.files(folder.file("\(name)/b[12].fits")).isEmpty == false)
    #expect(FilePattern.matches(folder.file("\(name)/none*")) == [])
  }

  @Test("A pattern of folders has the files of all of them, and no other names")
  func severalFolders() throws {
    let folder = try TemporaryFolder()
    for place in ["n1", "n2", "n3", "n2/x.fits"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(place), withIntermediateDirectories: true)
    }
    let files = try ["n1/x.fits", "n3/x.fits"].map { try folder.write($0, []) }
    _ = try folder.write("n4", [])
    #expect(
      FilePattern.files(folder.file("n?/x.fits"))
        == [files[0], folder.file("n2/x.fits"), files[1]])
  }

  @Test("A name that is not UTF-8 is among the files, and is known as one")
  func oddNames() throws {
    let folder = try TemporaryFolder()
    let odd = Array(folder.file("caf").utf8) + [0xe9, 0]
    let descriptor = odd.withUnsafeBytes {
      open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_WRONLY | O_CREAT, 0o600)
    }
    try #require(descriptor >= 0)
    close(descriptor)
    let files = try #require(FilePattern.matches(folder.file("caf*")))
    #expect(files == [folder.file("caf\u{fffd}\\xe9")] && OddName.isOne(files[0]))
  }

  @Test("Each byte that is not UTF-8 is shown")
  func shownBytes() {
    #expect(OddName.text("café".utf8) == "café")
    #expect(OddName.text([UInt8]("é".utf8) + [0xc3, 0x61, 0xff]) == "é\u{fffd}\\xc3a\u{fffd}\\xff")
  }
}
