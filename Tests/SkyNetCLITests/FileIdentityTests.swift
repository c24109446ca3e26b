import ArgumentParser
import Foundation
import Testing

@testable import SkyFiles
@testable import SkyNetCLI

@Suite("Different paths to one file")
struct FileIdentityTests {
  /// Runs a test in a new folder with `file`, `hard` (a hard link to it), `soft` (a symbolic link
  /// to it), `away` (a link to a missing file), `folder`, and `way` (a link to the folder).
  private func inFolder(_ test: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "skynet-place-" + UUID().uuidString
    let files = FileManager.default
    try files.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: folder) }
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/file"))
    try files.linkItem(atPath: folder + "/file", toPath: folder + "/hard")
    try files.createSymbolicLink(atPath: folder + "/soft", withDestinationPath: "file")
    try files.createSymbolicLink(
      atPath: folder + "/away", withDestinationPath: folder + "/folder/none")
    try files.createSymbolicLink(atPath: folder + "/way", withDestinationPath: "folder")
    try test(folder)
  }

  @Test(
    "Paths to the same file or place are equal",
    arguments: [
      ("file", "hard"), ("file", "soft"), ("hard", "folder/../soft"), ("away", "folder/none"),
      ("folder/none", "way/none"), ("./none", "folder/../none"), ("none/a", "none/b/../a"),
    ])
  func theseAreOne(one: String, other: String) throws {
    try inFolder { folder in
      #expect(FileIdentity(folder + "/" + one) == FileIdentity(folder + "/" + other))
    }
  }

  @Test(
    "Paths to different places are not equal",
    arguments: [("file", "none"), ("none", "folder/none"), ("none", "None"), ("a/x", "b/x")])
  func theseAreNot(one: String, other: String) throws {
    try inFolder { folder in
      #expect(FileIdentity(folder + "/" + one) != FileIdentity(folder + "/" + other))
    }
  }

  @Test("A hard link and its file cannot both be used where one is written")
  func aHardLinkIsNoOutputBesideItsFile() throws {
    try inFolder { folder in
      let (file, hard) = (folder + "/file", folder + "/hard")
      for arguments in [
        ["engage", "--image", file, "--results", hard],
        ["engage", "--image", file, "--catalog", hard],
        ["engage", "--image", "x", "--weight", file, "--results", hard],
        ["engage", "--image", "x", "--catalog", file, "--picture", hard],
        ["engage", "--journal", file, "--results", hard],
        ["engage", "--key-file", file, "--results", hard],
        ["engage", "--image", file, "--journal", hard],
        ["scan", "--image", file, "--sector", "0", "--background", "--output", hard],
        ["merge", "--image", "x", "--background", "--output", hard, file],
      ] {
        #expect {
          _ = try SkyNet.root(for: arguments).parseAsRoot(arguments)
        } throws: { error in
          let text = SkyNet.text(of: error)
          return text.contains("name the same file, ") && text.contains(hard)
            && SkyNet.status(of: error) == 64
        }
      }
    }
  }

  @Test(
    "SQLite's files beside a journal cannot be used for anything else",
    arguments: ["-wal", "-shm", "-journal"])
  func whatSQLiteHasBesideAJournalIsNoOutput(suffix: String) throws {
    try inFolder { folder in
      let journal = folder + "/way/run.sqlite"
      let beside = folder + "/folder/run.sqlite" + suffix
      for arguments in [
        ["engage", "--journal", journal, "--results", beside],
        ["engage", "--journal", journal, "--image", "x", "--picture", beside],
        ["engage", "--journal", journal, "--image", beside],
      ] {
        #expect {
          _ = try SkyNet.root(for: arguments).parseAsRoot(arguments)
        } throws: { error in
          SkyNet.text(of: error).contains("SQLite's own beside the journal")
            && SkyNet.status(of: error) == 64
        }
      }
    }
  }
}
