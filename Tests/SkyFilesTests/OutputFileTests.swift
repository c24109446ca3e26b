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

  @Test(
    "What a dangling link leads to is written, and the link stays",
    arguments: [
      ["cat.csv"], ["./below/cat.csv"], ["next", "cat.csv"], ["next", "below/../cat.csv"],
    ])
  func danglingLink(names: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("below"), withIntermediateDirectories: true)
    for (link, target) in zip(["link.csv"] + names, names) {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    let file = try OutputFile(path: folder.file("link.csv"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
    let before = try folder.contents().count
    for text in ["new\n", "newer\n"] {
      try file.write(Data(text.utf8))
      #expect(try String(contentsOfFile: folder.file(names.last!), encoding: .utf8) == text)
    }
    for (link, target) in zip(["link.csv"] + names, names) {
      let path = folder.file(link)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    }
    #expect(try folder.contents().count == before + (names.last!.contains("below/cat") ? 0 : 1))
  }

  @Test("A link to a folder that is not there, and a loop of links, are errors, and stay")
  func links() throws {
    let targets = ["gone.csv": "none/cat.csv", "a.csv": "b.csv", "b.csv": "a.csv"]
    for (link, target) in targets {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    for link in targets.keys {
      #expect(throws: OutputFileError.self) { _ = try OutputFile(path: folder.file(link)) }
      #expect(throws: OutputFileError.self) {
        try OutputFile(unchecked: folder.file(link)).write(Data("new".utf8))
      }
    }
    #expect(Set(try folder.contents()) == Set(targets.keys))
  }

  @Test(
    "An open descriptor is written behind what it has, and neither opened anew nor replaced",
    arguments: ["/dev/fd/", "/proc/self/fd/", "/proc/\(getpid())/fd/", "link to "])
  func descriptor(name: String) throws {
    let path = try folder.write("log", Array("old".utf8))
    let descriptor = open(path, O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    var named = "\(name)\(descriptor)"
    if name == "link to " {
      named = folder.file("link")
      try FileManager.default.createSymbolicLink(
        atPath: named, withDestinationPath: "/dev/fd/\(descriptor)")
    }
    let number = FileIdentity(path)
    let file = try OutputFile(path: named)
    for text in ["1", "2"] {
      try file.write(Data(text.utf8))
      #expect(Data("-".utf8).withUnsafeBytes { WholeWrite.write($0, to: descriptor) } == nil)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old1-2-")
    #expect(FileIdentity(path) == number && FileIdentity(named) == number)
    try OutputFile.syncFolders(of: [file])
    #expect(WrittenFile(path: named, size: 1).isThere)
  }

  @Test("A descriptor that is not open, only read from, or opened by this process is no output")
  func noDescriptor() throws {
    let path = try folder.write("log", Array("old".utf8))
    let descriptors = [open(path, O_RDONLY), open(path, O_WRONLY | O_CLOEXEC)]
    defer { for descriptor in descriptors { close(descriptor) } }
    for descriptor in descriptors + [900] {
      #expect(throws: OutputFileError.self) { _ = try OutputFile(path: "/dev/fd/\(descriptor)") }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test("A name that is not UTF-8 is refused, also where a link leads to it")
  func oddName() throws {
    let link = folder.file("link.csv")
    try #require(
      [UInt8](folder.file("caf").utf8 + [0xe9, 0]).withUnsafeBytes {
        symlink($0.assumingMemoryBound(to: CChar.self).baseAddress!, link)
      } == 0)
    for path in [link, folder.file("caf\u{fffd}.csv")] {
      let error = #expect(throws: OutputFileError.self) { _ = try OutputFile(path: path) }
      #expect(error?.description.contains("UTF-8") == true)
      #expect(throws: OutputFileError.self) {
        try OutputFile(unchecked: path).write(Data("new".utf8))
      }
    }
    #expect(try folder.contents() == ["link.csv"])
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

  @Test("What is left of a file is not taken for that of one whose name Unicode calls equal")
  func leftoverOfEqualName() throws {
    let left = try folder.write("caf\u{e9}.csv.0123ABCD.partial", [1])
    _ = try OutputFile(path: folder.file("cafe\u{301}.csv"))
    #expect(access(left, F_OK) == 0)
    _ = try OutputFile(path: folder.file("caf\u{e9}.csv"))
    #expect(access(left, F_OK) != 0)
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
