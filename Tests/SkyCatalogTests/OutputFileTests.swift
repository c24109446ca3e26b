import Foundation
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("Output files")
struct OutputFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("Checking an output file leaves no file behind")
  func check() throws {
    _ = try OutputFile(path: folder.file("sources.csv"))
    #expect(try folder.contents().isEmpty)
  }

  @Test("An existing file is kept until the new one is complete")
  func existingFile() throws {
    let path = try folder.write("sources.csv", Array("old".utf8))
    let file = try OutputFile(path: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.write(Data("new\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
    #expect(try folder.contents() == ["sources.csv"])
  }

  @Test("A replaced file keeps its permissions")
  func permissions() throws {
    let path = try folder.write("sources.csv", Array("old".utf8))
    #expect(chmod(path, 0o640) == 0)
    try OutputFile(path: path).write(Data("new\n".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test("A link to a replaced file stays a link")
  func link() throws {
    let path = try folder.write("sources.csv", [])
    let link = folder.file("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try OutputFile(path: link).write(Data("new\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }

  @Test("A device is written directly")
  func device() throws {
    try OutputFile(path: "/dev/null").write(Data("new\n".utf8))
  }

  @Test("A file that cannot be written is found before the scan")
  func notWritable() throws {
    let file = try folder.write("file", [])
    for path in [folder.path, folder.file("none/sources.csv"), file + "/sources.csv", ""] {
      let error = #expect(throws: OutputFileError.self) { _ = try OutputFile(path: path) }
      #expect(error?.path == path)
    }
  }
}
