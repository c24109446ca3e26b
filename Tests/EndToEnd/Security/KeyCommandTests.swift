import Foundation
import SkyNetKeys
import Testing

/// The command `skynet key`, and the places of the key.
@Suite("The command `skynet key`", .timeLimit(.ample))
struct KeyCommandTests {
  @Test("A key is shown, imported and replaced")
  func aKeyIsShownAndImportedAndReplaced() async throws {
    try await Stage.with { stage in
      let there = try await stage.skynet("key", "path").end().output[0]
      #expect(there == stage.account + "/skynet/cluster.key")
      let shown = try await stage.skynet("key", "show").end()
      let key = try ClusterKey(text: try #require(shown.output.first))
      #expect(shown.output.count == 1 && shown.errors == ["fingerprint \(key.fingerprint)"])

      let new = try await stage.skynet("key", "new").end()
      #expect(new.status == 0 && new.output.isEmpty)
      let replaced = try KeyFile(path: there).read()
      #expect(replaced != key)
      #expect(try KeyFile(path: there + ".old").read() == key)

      let back = try await stage.shell("'\(Paths.binary)' key import", input: key.text).end()
      #expect(back.status == 0)
      #expect(try KeyFile(path: there).read() == key)
      for said in new.errors + back.errors { #expect(!said.contains("skynet-key-")) }
    }
  }

  @Test("A key that is added gives up none, so what was kept before stays, and a link stays a link")
  func addKeepsWhatIsFormer() async throws {
    try await Stage.with { stage in
      let file = KeyFile(path: stage.account + "/skynet/cluster.key")
      let first = try file.read()
      #expect(try await stage.skynet("key", "new").end().status == 0)
      // The key is elsewhere, as of people who keep such files in one place.
      let real = stage.file("kept-elsewhere")
      try FileManager.default.moveItem(atPath: file.path, toPath: real)
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: real)
      let added = try await stage.skynet("key", "add", "--new").end()
      #expect(added.status == 0 && !added.errors.contains { $0.contains(".old") }, "\(added)")
      #expect(try KeyFile(path: file.path + ".old").read() == first)
      #expect(try KeyFile(path: real).readAll().all.count == 2)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == real)
      let both = try file.readAll()
      let retired = try await stage.skynet("key", "retire", both.all[1].fingerprint).end()
      #expect(
        retired.errors.contains { $0.hasSuffix("\(both), is kept in \(file.path).old") },
        "\(retired)")
    }
  }

  @Test("Text that is no key is refused, and the old key stays")
  func textThatIsNoKeyIsRefused() async throws {
    try await Stage.with { stage in
      let key = try await stage.skynet("key", "show").end().output
      for text in ["", "hello", "skynet-key-12"] {
        let story = try await stage.shell("'\(Paths.binary)' key import", input: text).end()
        #expect(story.status == 2 && story.errors.count == 1)
        #expect(story.errors[0].hasPrefix("error: this is no cluster key"))
      }
      #expect(try await stage.skynet("key", "show").end().output == key)
    }
  }

  @Test("A key file that others can read is refused with the remedy")
  func aKeyThatOthersCanReadIsRefused() async throws {
    try await Stage.with { stage in
      let path = stage.account + "/skynet/cluster.key"
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      for command in [
        ["node", "--no-discovery"], ["engage", "--total", "1"], ["systems"],
      ] {
        let story = try await stage.skynet(command).end()
        #expect(story.status == 2)
        #expect(story.errors.count == 1 && story.errors[0].contains("chmod 600 '\(path)'"))
      }
    }
  }

  @Test("A home that cannot be written is an error that names alternatives")
  func anUnwritableHomeIsAnError() async throws {
    try await Stage.with { stage in
      // Even root cannot make a directory below a file.
      let file = stage.file("a-file")
      try Data().write(to: URL(fileURLWithPath: file))
      for home in [file, "/proc/1/nowhere"] {
        let story = try await stage.launch(
          Paths.binary, ["node", "--no-discovery"], ["XDG_CONFIG_HOME": home]
        ).end()
        #expect(story.status == 2 && story.errors.count == 1)
        #expect(!story.errors[0].contains("Domain"), "\(story.errors)")
        for way in ["--key-file", "SKYNET_KEY_FILE", "SKYNET_KEY,", "--insecure"] {
          #expect(story.errors[0].contains(way), "\(way)")
        }
      }
    }
  }

  @Test("A key appears in no log and no process list")
  func aKeyIsInNoLogAndNoProcessList() async throws {
    try await Stage.with { stage in
      let key = ClusterKey().text
      let node = try await RunningNode(
        stage.launch(
          Paths.binary,
          ["node", "--host", "127.0.0.1", "--no-discovery", "--log-level", "trace"],
          ["SKYNET_KEY": key]))
      let run = try stage.engage(
        peers: [node.port], ["--no-local", "--total", "8", "--scan-seconds", "0"],
        ["SKYNET_KEY": key])
      try await run.outcome().expectEverySectorOnce(of: 8)
      let arguments = try String(
        contentsOfFile: "/proc/\(node.process.id)/cmdline", encoding: .utf8)
      let said = node.process.soFar.errors + run.process.soFar.errors + [arguments]
      let digits = key.dropFirst("skynet-key-".count)
      #expect(!said.contains { $0.contains(digits) })
    }
  }
}
