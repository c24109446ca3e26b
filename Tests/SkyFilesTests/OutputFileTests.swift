import Foundation
import SkyTestSupport
import Testing

@testable import SkyFiles

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

  @Test("A file of parts is complete when all are there, and unchanged if one fails")
  func parts() async throws {
    struct Failure: Error {}
    let path = try folder.write("sources.csv", Array("old".utf8))
    let file = try OutputFile(path: path)
    await #expect(throws: Failure.self) {
      try await file.write { append in
        try append(Data("new\n".utf8))
        throw Failure()
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try await file.write { append in
      for part in ["new", "er\n"] { try append(Data(part.utf8)) }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "newer\n")
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

  @Test(
    "A file that may not be written is not replaced, though its folder may be written",
    .disabled(if: geteuid() == 0, "root may write every file"))
  func writeProtected() throws {
    let path = try folder.write("sources.csv", Array("old".utf8))
    let file = OutputFile(unchecked: path)
    #expect(chmod(path, 0o444) == 0)
    #expect(throws: OutputFileError.self) { _ = try OutputFile(path: path) }
    let error = #expect(throws: OutputFileError.self) { try file.write(Data("new\n".utf8)) }
    #expect(error?.description.hasPrefix("\(path): is there and cannot be written (") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try folder.contents() == ["sources.csv"])
  }

  @Test("What a killed process left of an output is removed, and nothing else")
  func leftovers() throws {
    let path = folder.file("sources.csv")
    let left = ["sources.csv.0123ABCD.partial", "sources.csv.FFFFFFFF.partial"]
    let others = [
      "other.csv.0123ABCD.partial", "sources.csv.0123abcd.partial", "sources.csv.0123ABCD.partial2",
      "sources.csv.123.partial", "sources.csv.partial", "xsources.csv.0123ABCD.partial",
    ]
    for name in left + others { _ = try folder.write(name, [1]) }
    _ = try OutputFile(path: path)
    #expect(Set(try folder.contents()) == Set(others))
  }

  @Test("A file that a living process writes is not removed, and is once that process is dead")
  func living() throws {
    let path = folder.file("sources.csv")
    let (partial, descriptor) = try #require(PartialFiles.make(for: path))
    _ = try OutputFile(path: path)
    #expect(access(partial, F_OK) == 0)
    close(descriptor)
    _ = try OutputFile(path: path)
    #expect(try folder.contents().isEmpty)
  }

  @Test("A link with a partial file's name is left alone, and what it leads to")
  func linkedLeftover() throws {
    let precious = try folder.write("precious", [1])
    let link = folder.file("sources.csv.0123ABCD.partial")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: precious)
    _ = try OutputFile(path: folder.file("sources.csv"))
    #expect(Set(try folder.contents()) == ["precious", "sources.csv.0123ABCD.partial"])
  }

  @Test("A folder is looked at once for all of its outputs")
  func leftoversOfMany() throws {
    for number in 1...3 { _ = try folder.write("\(number).csv.0000000\(number).partial", [1]) }
    var partial = PartialFiles()
    partial.removeLeft(of: OutputFile(unchecked: folder.file("1.csv")))
    #expect(try folder.contents().count == 2)
    partial.removeLeft(of: OutputFile(unchecked: folder.file("3.csv")))
    #expect(try folder.contents() == ["2.csv.00000002.partial"])
  }
}
