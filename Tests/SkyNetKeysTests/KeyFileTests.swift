import Foundation
import SkyNetKeys
import Testing

@Suite("A key file")
struct KeyFileTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func write(_ text: String, mode: Int = 0o600, to path: String) throws -> KeyFile {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return KeyFile(path: path)
  }

  @Test("A key file is made with its directory, for its owner alone, and then read")
  func made() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/deep/down/cluster.key")
      let (first, second) = (try file.readOrMake(), try file.readOrMake())
      #expect(first.isNew && !second.isNew && first.keys == second.keys)
      #expect(try mode(file.path) == 0o600)
      #expect(try mode(folder + "/deep/down") == 0o700)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep/down")
      #expect(left == ["cluster.key"])
    }
  }

  @Test("Of several readers that start at once, one makes the file, and the others read it")
  func race() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      let results = try await withThrowingTaskGroup { group in
        for _ in 0..<32 { group.addTask { try file.readOrMake() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(results.map(\.keys)).count == 1)
      #expect(results.count(where: \.isNew) == 1)
    }
  }

  @Test(
    "A key file that others can use is refused, with the command that mends it",
    arguments: [0o644, 0o640, 0o602])
  func openToOthers(_ mode: Int) async throws {
    try await withFolder { folder in
      let file = try write(ClusterKey().text, mode: mode, to: folder + "/a")
      let error = #expect(throws: KeyError.self) { try file.readOrMake() }
      #expect(error?.code == .open)
      #expect(error?.description.contains("chmod 600 '\(file.path)'") == true)
    }
  }

  @Test(
    "A file that holds no key is refused, and stays as it is",
    arguments: ["", "hello", String(repeating: "x", count: 100_000)])
  func other(_ text: String) async throws {
    try await withFolder { folder in
      let file = try write(text, to: folder + "/a")
      let error = #expect(throws: KeyError.self) { try file.readOrMake() }
      #expect(error?.code == .notAKey)
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }
  }

  @Test("A key file that cannot be read or made is an error that names the alternatives")
  func inaccessible() async throws {
    try await withFolder { folder in
      let directory = #expect(throws: KeyError.self) { try KeyFile(path: folder).read() }
      #expect(directory?.code == .inaccessible)
      let file = try write("x", to: folder + "/a")
      let below = KeyFile(path: file.path + "/below/cluster.key")
      let error = try #require(
        #expect(throws: KeyError.self) { try below.replace(with: .new()) })
      #expect(error.code == .inaccessible)
      for way in ["--key-file", "SKYNET_KEY_FILE", "SKYNET_KEY,", "--insecure"] {
        #expect("\(error)".contains(way))
      }
    }
  }

  @Test("A key that is replaced is kept beside the new one")
  func replaced() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      let (first, second) = (ClusterKeys.new(), ClusterKeys.new())
      #expect(try file.replace(with: first) == nil)
      #expect(try file.replace(with: first) == nil)
      let old = try #require(try file.replace(with: second))
      #expect(try file.readAll() == second)
      #expect(try old.readAll() == first)
      #expect(try mode(old.path) == 0o600)
    }
  }

  @Test("Other content is kept when a key replaces it, and long content is not replaced")
  func replacedOther() async throws {
    try await withFolder { folder in
      let file = try write("hello", mode: 0o644, to: folder + "/a")
      let old = try #require(try file.replace(with: .new()))
      #expect(try String(contentsOfFile: old.path, encoding: .utf8) == "hello")
      #expect(try mode(file.path) == 0o600 && mode(old.path) == 0o600)
      let long = try write(String(repeating: "x", count: 5000), to: folder + "/b")
      #expect(throws: KeyError.self) { try long.replace(with: .new()) }
      #expect(try String(contentsOfFile: long.path, encoding: .utf8).count == 5000)
    }
  }

  @Test("A path that cannot be read is not replaced")
  func unreadable() async throws {
    try await withFolder { folder in
      // Root may read every file, so this takes a directory and a loop of links, which not even root can read.
      let loop = folder + "/loop"
      try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
      for path in [folder, loop] {
        let error = #expect(throws: KeyError.self) {
          try KeyFile(path: path).replace(with: .new())
        }
        #expect(error?.code == .inaccessible)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["loop"])
    }
  }

  @Test(
    "Root's file with mode 440 or 400 is accepted, as a secret's mount makes it",
    .enabled(if: geteuid() == 0, "needs root"), arguments: [0o440, 0o400])
  func ofRoot(_ mode: Int) async throws {
    try await withFolder { folder in
      let keys = ClusterKeys.new()
      let file = try write(keys.fileText, mode: mode, to: folder + "/a")
      #expect(try file.readAll() == keys)
    }
  }

  @Test(
    "Another account's file with mode 440 is refused", .enabled(if: geteuid() == 0, "needs root"))
  func ofAnother() async throws {
    try await withFolder { folder in
      let file = try write(ClusterKey().text, mode: 0o440, to: folder + "/a")
      #expect(chown(file.path, 65534, 65534) == 0)
      let error = #expect(throws: KeyError.self) { try file.read() }
      #expect(error?.code == .open)
    }
  }

  @Test(
    "A file under CREDENTIALS_DIRECTORY is accepted with the group's bits, and not with others'")
  func credential() async throws {
    try await withFolder { folder in
      let keys = ClusterKeys.new()
      let file = try write(keys.fileText, mode: 0o640, to: folder + "/a")
      #expect(throws: KeyError.self) { try file.readAll(credentials: nil) }
      #expect(try file.readAll(credentials: folder) == keys)
      #expect(throws: KeyError.self) {
        try file.readAll(credentials: folder + "/elsewhere")
      }
      for mode in [0o644, 0o660] {
        let open = try write(keys.fileText, mode: mode, to: folder + "/b")
        #expect(throws: KeyError.self) { try open.readAll(credentials: folder) }
      }
    }
  }

  @Test("A file with several keys is read, and the newest counts where one is asked for")
  func several() async throws {
    try await withFolder { folder in
      let keys = try ClusterKeys.new().adding(.new())
      let file = KeyFile(path: folder + "/cluster.key")
      try file.replace(with: keys)
      #expect(try file.readAll() == keys && file.read() == keys.newest)
      #expect(try file.replace(with: keys) == nil)
    }
  }

  @Test("What was kept before stays while nothing is given up, and a retired key is kept")
  func keptOnlyWhatIsFormer() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      let (first, second, third) = (ClusterKeys.new(), ClusterKeys.new(), ClusterKeys.new())
      try file.replace(with: first)
      let old = try #require(try file.replace(with: second))
      let both = try second.adding(third)
      #expect(try file.replace(with: both) == nil)
      #expect(try old.readAll() == first, "it is the one that is held no longer")
      #expect(try file.replace(with: third) == old && old.readAll() == both)
    }
  }

  @Test("Of a symbolic link the target is replaced, or made, and the link stays")
  func link() async throws {
    try await withFolder { folder in
      let files = FileManager.default
      try files.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
      for target in ["real/key", folder + "/real/key"] {
        let file = KeyFile(path: folder + "/link")
        try files.createSymbolicLink(atPath: file.path, withDestinationPath: target)
        let (made, isNew) = try file.readOrMake()
        let real = KeyFile(path: folder + "/real/key")
        #expect(try isNew && real.readAll() == made)
        let keys = ClusterKeys.new()
        try file.replace(with: keys)
        #expect(try real.readAll() == keys && file.readAll() == keys)
        #expect(try files.destinationOfSymbolicLink(atPath: file.path) == target)
        #expect(try files.contentsOfDirectory(atPath: folder + "/real") == ["key"])
        try files.removeItem(atPath: real.path)
        try files.removeItem(atPath: file.path)
      }
    }
  }

  @Test("To ask whether a file could be replaced changes nothing")
  func replaceable() async throws {
    try await withFolder { folder in
      let file = try write("hello", to: folder + "/a")
      try file.checkReplaceable()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
      #expect(throws: KeyError.self) { try KeyFile(path: folder + "/a/b").checkReplaceable() }
    }
  }
}
