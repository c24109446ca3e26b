import Foundation
import SkyTestSupport
import Testing

@testable import SkyFiles

@Suite("Versions of files")
struct FileEditionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "A file and its bytes have one digest, of any length", arguments: [0, 1, 1 << 20, 2_500_000])
  func digests(length: Int) throws {
    var bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try folder.write("file", bytes)
    let digest = ContentsDigest.of(Data(bytes))
    #expect(ContentsDigest.of(file: path, size: length) == digest)
    #expect(ContentsDigest.of(file: path, size: length + 1) == nil)
    bytes.append(0)
    #expect(ContentsDigest.of(Data(bytes)) != digest)
    guard length > 0 else { return }
    bytes[length - 1] ^= 1
    #expect(ContentsDigest.of(Data(bytes[..<length])) != digest)
  }

  @Test("What is no regular file has no digest and no version")
  func others() {
    #expect(ContentsDigest.of(file: folder.file("none"), size: 0) == nil)
    #expect(ContentsDigest.of(file: "/dev/null", size: 0) == nil)
    #expect(FileEdition(folder.file("none")) == nil)
    #expect(FileEdition("/dev/null") == nil)
    #expect(FileEdition("/tmp") == nil)
  }

  @Test("Of a small file the contents count, though another has its size and time")
  func small() throws {
    let (one, two) = (try folder.write("one", [1, 2, 3]), try folder.write("two", [1, 2, 4]))
    for path in [one, two] { try age(path) }
    let (first, second) = (try version(one), try version(two))
    #expect(first.state.modified == second.state.modified)
    #expect(!first.hasContents(of: second) && !second.isUnchanged(since: first))
    let copy = try version(try folder.write("copy", [1, 2, 3]))
    #expect(copy.hasContents(of: first) && copy.isUnchanged(since: first))
    // Also if it was changed in its place, and has its time again.
    _ = try folder.write("one", [1, 2, 5])
    try age(one)
    #expect(try !version(one).isUnchanged(since: first))
  }

  @Test("A large file is told apart by its size and times")
  func large() throws {
    let path = folder.file("large")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(truncate(path, 5 << 20) == 0)
    let first = try version(path)
    #expect(first.digest == nil && first.isUnchanged(since: first))
    try age(path)
    let touched = try version(path)
    #expect(!touched.isUnchanged(since: first) && !touched.hasContents(of: first))
    // A copy with its time, as rsync makes it.
    let copy = folder.file("copy")
    #expect(FileManager.default.createFile(atPath: copy, contents: nil))
    #expect(truncate(copy, 5 << 20) == 0)
    try age(copy)
    #expect(try version(copy).hasContents(of: touched))
  }

  @Test("A file to which something was appended is known")
  func grown() throws {
    let first = try version(try folder.write("log", [1, 2, 3]))
    let later = try version(try folder.write("log", [1, 2, 3, 4]))
    #expect(later.hasGrown(from: first) && !first.hasGrown(from: later))
    #expect(try !version(try folder.write("log", [1, 2, 4, 4])).hasGrown(from: first))
    let empty = try version(try folder.write("empty", []))
    #expect(first.hasGrown(from: empty) && !empty.hasGrown(from: empty))
  }

  @Test("An executable for one kind of machine says for which, and a script does not")
  func platforms() throws {
    #expect(try version(try folder.write("script", Array("#!/bin/sh\n".utf8))).platform == nil)
    let program = try version("/bin/sh")
    #expect(program.platform == FileEdition.ownPlatform && program.platform?.isEmpty == false)
  }

  private func version(_ path: String) throws -> FileEdition { try #require(FileEdition(path)) }

  /// Gives a file a time long ago.
  private func age(_ path: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
  }
}
