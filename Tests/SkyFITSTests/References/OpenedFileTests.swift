import Foundation
import SkyTestSupport
import Testing

@testable import SkyFITS
@testable import SkyFiles

@Suite("Files that change after they were opened")
struct OpenedFileTests {
  /// Puts a file's modification time back after something was done to it.
  private func keepingTime(of path: String, _ body: () throws -> Void) throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let before = try FileState.settled(file.fileDescriptor)
    try file.close()
    try body()
    var times = [before.st_atim, before.st_mtim]
    try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
  }

  @Test(
    "A file's state tells a replaced or rewritten file from what it was, whatever its times say")
  func state() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.fits", [1, 2, 3])
    let state = try #require(FileState(path: path))
    #expect(FileState(path: path) == state && state.size == 3)
    #expect(FileState(path: try folder.write("b.fits", [1, 2, 3])) != state, "it is another file")
    #expect(FileState(path: folder.file("none.fits")) == nil)
    try keepingTime(of: path) {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.write(contentsOf: Data([1]))
      try file.close()
    }
    let again = try #require(FileState(path: path))
    #expect(again.modified == state.modified && again != state)
  }

  @Test("An open file that is written, linked or replaced has changed, and its hash is none")
  func changes() throws {
    let folder = try TemporaryFolder()
    for (index, change) in ["written", "linked", "replaced", "removed"].enumerated() {
      let path = try folder.write("\(index).fits", [1, 2, 3])
      let input = try InputFile(path: path)
      let opened = OpenedFile(path: path, state: input.stamp.state)
      #expect(!opened.hasChanged)
      #expect(try input.hash().text.count == 16)
      try keepingTime(of: path) {
        switch change {
        case "written": try Data([4, 5, 6]).write(to: URL(fileURLWithPath: path), options: [])
        case "linked": try #require(link(path, folder.file("link")) == 0)
        case "replaced": try #require(rename(folder.write("other", [1, 2, 3]), path) == 0)
        default:
          // A file is there again for the times to be put back.
          unlink(path)
          _ = try folder.write("\(index).fits", [1, 2, 3])
        }
      }
      #expect(opened.hasChanged, "\(change)")
      #expect(throws: ChangedFile(path: path)) { try [opened].checkUnchanged() }
      #expect(throws: ChangedFile.self) { try input.hash() }
    }
  }

  @Test("A pipe or a device is not looked at again")
  func devices() throws {
    let null = open("/dev/null", O_RDONLY)
    defer { close(null) }
    #expect(OpenedFile(path: "/dev/null", descriptor: null) == nil)
  }
}
