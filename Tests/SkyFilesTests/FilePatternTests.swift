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
}
