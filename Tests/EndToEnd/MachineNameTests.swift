import Foundation
import Testing

/// Values that come from the machine, where something bounds them.
@Suite("Names of machines", .timeLimit(.ample))
struct MachineNameTests {
  /// A host's name may have 64 bytes, and a name in DNS-SD 63.
  @Test(
    "A node has as much of its host's name as a node's name may have",
    .enabled("needs root, and a kernel that lets it make a host name") { await isPossible },
    arguments: [
      (String(repeating: "a", count: 64), String(repeating: "a", count: 63)),
      (String(repeating: "ä", count: 32), String(repeating: "ä", count: 31)),
      (String(repeating: "a", count: 62) + "ä", String(repeating: "a", count: 62)),
      ("a\tb.example", "ab"),
    ])
  func aLongName(host: String, name: String) async throws {
    try await Stage.with { stage in
      let node = try await RunningNode(
        stage.launch(
          "/usr/bin/unshare",
          [
            "-u", "/bin/sh", "-c", Self.rename + #"exec "$0" node --host 127.0.0.1"#,
            Paths.binary,
            host,
          ]))
      #expect(node.name == name)
      let run = try await stage.engage(peers: [node.port], "--no-local", "--total", "4").outcome()
      #expect(run.shares == [name: 4])
    }
  }

  /// The command `hostname` sets only names that a machine should have; the kernel takes others.
  private static let rename = #"printf %s "$1" >/proc/sys/kernel/hostname && "#

  private static var isPossible: Bool {
    get async {
      guard geteuid() == 0 else { return false }
      return
        (try? await Stage.with { stage in
          let story = try await stage.launch(
            "/usr/bin/unshare", ["-u", "/bin/sh", "-c", rename + "true", "sh", "a"]
          ).end()
          guard story.status == 0 else { throw Unexpected("\(story)") }
        }) != nil
    }
  }
}
