import Foundation
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite struct OutputFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func checkingLeavesNothingBehind() throws {
    _ = try OutputFile(path: folder.file("sources.csv"))
    #expect(try folder.contents().isEmpty)
  }

  @Test func anExistingFileIsKeptUntilTheNewOneIsComplete() throws {
    let path = try folder.write("sources.csv", Array("old".utf8))
    let file = try OutputFile(path: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.write(Data("new\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
    #expect(try folder.contents() == ["sources.csv"])
  }

  @Test func aFileKeepsItsPermissions() throws {
    let path = try folder.write("sources.csv", Array("old".utf8))
    #expect(chmod(path, 0o640) == 0)
    try OutputFile(path: path).write(Data("new\n".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test func aLinkStaysALink() throws {
    let path = try folder.write("sources.csv", [])
    let link = folder.file("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try OutputFile(path: link).write(Data("new\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }

  @Test func aDeviceIsWrittenToAsItIs() throws {
    try OutputFile(path: "/dev/null").write(Data("new\n".utf8))
  }

  @Test func whatCannotBeWrittenIsFoundBefore() throws {
    let file = try folder.write("file", [])
    for path in [folder.path, folder.file("none/sources.csv"), file + "/sources.csv", ""] {
      let error = #expect(throws: OutputFileError.self) { _ = try OutputFile(path: path) }
      #expect(error?.path == path)
    }
  }
}
