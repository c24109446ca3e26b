import Foundation
import SkyTestSupport
import Testing

@testable import SkyFITS
@testable import SkyFiles

@Suite("Files that a node may read")
struct DataDirectoriesTests {
  let folder: TemporaryFolder
  /// The folder without symbolic links in its own path.
  let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = try #require(FilePath.real(folder.path)).text
    for name in ["data/night", "other"] {
      try FileManager.default.createDirectory(
        atPath: root + "/" + name, withIntermediateDirectories: true)
    }
    let image = FITSUnit(bitpix: 8, axes: [4, 3], data: Array(0..<12)).bytes
    for name in ["data/night/a.fits", "other/a.fits", "data/key", "data/.own/a.fits"] {
      let place = URL(fileURLWithPath: root + "/" + name)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(image).write(to: place)
    }
  }

  private func refusal(_ path: String, in directories: [String]? = nil) throws -> DataRefusal? {
    let access = try DataDirectories(
      directories ?? [root + "/data"], ownFiles: [root + "/data/key", root + "/data/.own"])
    do throws(DataRefusal) {
      _ = try ReferencedFile(path.hasPrefix("/") ? path : root + "/" + path, in: access)
      return nil
    } catch {
      return error
    }
  }

  @Test("A regular file below a data directory is read, and nothing else")
  func outside() throws {
    #expect(try refusal("data/night/a.fits") == nil)
    #expect(try refusal("data/night/a.fits", in: [root + "/other", root + "/data"]) == nil)
    #expect(try refusal("data/night/a.fits", in: ["/"]) == nil)
    #expect(try refusal("other/a.fits") == .outside)
    #expect(try refusal("/etc/passwd") == .outside)
    #expect(try refusal("/etc/no-such-file") == .outside, "nothing is told of what is elsewhere")
    #expect(try refusal("data") == .outside)
    #expect(try refusal("data/night/b.fits") == .missing)
    #expect(try refusal("data/night/a.fits/b") == .missing)
    #expect(try refusal("data/night") == .notRegular)
    #expect(try refusal("/etc/passwd", in: ["/etc"]) == .notFITS)
    #expect(try refusal("/proc/self/environ", in: ["/proc"]) != nil)
  }

  @Test(
    "A path with .., . or an empty name leads nowhere",
    arguments: [
      "data/../other/a.fits", "data/night/../night/a.fits", "data/./night/a.fits",
      "data//night/a.fits", "data/night/a.fits/", "data/night/\0",
    ])
  func dots(path: String) throws {
    #expect(try refusal(path) == .outside)
  }

  @Test("No symbolic link is followed, whether it is a file or a directory on the way")
  func links() throws {
    for (name, target) in [
      ("data/out.fits", "../other/a.fits"), ("data/absolute.fits", root + "/other/a.fits"),
      ("data/in.fits", "night/a.fits"), ("data/up", ".."), ("data/loop", "loop"),
      ("data/root", "/"), ("data/self", "/proc/self/cwd"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: root + "/" + name, withDestinationPath: target)
    }
    for path in [
      "data/out.fits", "data/absolute.fits", "data/in.fits", "data/up/other/a.fits", "data/loop",
      "data/root/etc/passwd", "data/self",
    ] {
      #expect(try refusal(path) == .symbolicLink, "\(path)")
      let data = open(root + "/data", O_RDONLY)
      defer { close(data) }
      for flags in [O_RDONLY, FileSystemCalls.pathOnly | O_CLOEXEC] {
        let name = String(path.dropFirst("data/".count))
        let descriptor = FileSystemCalls.open(name, beneath: data, flags: flags, walks: true)
        #expect(descriptor < 0 && errno == ELOOP, "\(path), one name after the other")
      }
    }
  }

  @Test("Where the kernel has no single call, names are opened one after the other")
  func walking() {
    let data = open(root, O_RDONLY)
    defer { close(data) }
    for (path, isThere) in [
      ("data/night/a.fits", true), ("data/night/../key", false), ("data//key", false),
      ("data/night/b", false), ("..", false), ("data/./key", false),
    ] {
      let descriptor = FileSystemCalls.open(path, beneath: data, flags: O_RDONLY, walks: true)
      #expect((descriptor >= 0) == isThere, "\(path)")
      if descriptor >= 0 { close(descriptor) }
    }
  }

  @Test(
    "A pipe and a device are refused without being opened to read from", .timeLimit(.minutes(20)))
  func pipes() throws {
    #expect(mkfifo(root + "/data/pipe.fits", 0o600) == 0)
    #expect(try refusal("data/pipe.fits") == .notRegular)
    #expect(try refusal("/dev/zero", in: ["/dev"]) == .notRegular)
  }

  @Test("The node's own keys are refused by every name that they have")
  func ownKeys() throws {
    #expect(try refusal("data/key") == .ownKey)
    #expect(try refusal("data/.own/a.fits") == .ownKey)
    #expect(link(root + "/data/key", root + "/data/night/b.fits") == 0)
    #expect(try refusal("data/night/b.fits") == .ownKey)
  }

  @Test("A data directory may be named by a symbolic link, and must exist")
  func named() throws {
    try FileManager.default.createSymbolicLink(
      atPath: root + "/link", withDestinationPath: "data")
    #expect(try refusal("link/night/a.fits", in: [root + "/link"]) == nil)
    #expect(try refusal("data/night/a.fits", in: [root + "/link"]) == nil)
    #expect(throws: FITSError.self) { try refusal("data/key", in: [root + "/nowhere"]) }
  }
}

@Suite("Files that are the same")
struct FileStampTests {
  private let stamp = FileStamp(
    machine: "m", state: FileState(device: 1, inode: 7, size: 9, modified: 3, changed: 4))

  private func stamp(_ change: (inout FileStamp) -> Void) -> FileStamp {
    var other = stamp
    change(&other)
    return other
  }

  @Test("A file's number counts on one device of one machine, and on file systems that are shared")
  func sameFile() {
    #expect(stamp.isSameFile(as: stamp))
    #expect(!stamp.isSameFile(as: stamp { $0.state.inode = 8 }))
    #expect(!stamp.isSameFile(as: stamp { $0.state.device = 2 }))
    #expect(!stamp.isSameFile(as: stamp { $0.machine = "n" }), "such as a clone of this machine")
    let unknown = stamp { $0.machine = nil }
    #expect(!unknown.isSameFile(as: unknown))
    let shared = stamp { ($0.sharedSystem, $0.machine) = (0x6969, "n") }
    #expect(shared.isSameFile(as: stamp { ($0.sharedSystem, $0.state.device) = (0x6969, 4) }))
    #expect(!shared.isSameFile(as: stamp { $0.sharedSystem = 0xff53_4d42 }))
  }
}
