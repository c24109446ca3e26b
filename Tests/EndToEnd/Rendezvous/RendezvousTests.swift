import Foundation
import Testing

/// Nodes that are found by a directory that all can read.
@Suite("A rendezvous directory in use", .timeLimit(.ample))
struct RendezvousInUseTests {
  private static func directory(_ stage: Stage) throws -> String {
    let path = stage.file("rendezvous")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private static func node(_ name: String, _ directory: String, _ stage: Stage) async throws
    -> RunningNode
  {
    try await stage.node(name, "--rendezvous", directory)
  }

  @Test("Nodes that write to a directory are found there, join a run and leave it")
  func nodes() async throws {
    try await Stage.with { stage in
      let directory = try Self.directory(stage)
      try Data("hello".utf8).write(to: URL(fileURLWithPath: directory + "/README"))
      let a = try await Self.node("a", directory, stage)
      let run = try stage.engage(
        peers: [],
        [
          "--rendezvous", directory, "--total", "1500", "--scan-seconds", "0.1", "--slots", "1",
          "--failing-every", "0",
        ])
      try await run.process.line("connected a")
      try await run.process.line(
        "skipping README in \(directory): its name is not that of a node's file")
      _ = try await Self.node("b", directory, stage)
      try await run.process.line("connected b")
      try await run.completions(by: "b")
      a.process.send(SIGTERM)
      #expect(try await a.process.end().status == 0)
      let files = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(files.count == 2, "\(files)")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 1500)
      #expect(Set(outcome.shares.keys) == ["a", "b", "local"])
      #expect(outcome.errors.count { $0.contains("skipping") } == 1)
    }
  }

  @Test("The file of a node that died long ago is not believed, and the others' is")
  func leftBehind() async throws {
    try await Stage.with { stage in
      let directory = try Self.directory(stage)
      _ = try await Self.node("a", directory, stage)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        .filter { !$0.hasPrefix(".") }
      let own = try #require(names.first)
      let incarnation = own.dropFirst("skynet-".count).dropLast(".json".count)
      let (dead, (descriptor, port)) = (UUID().uuidString, try makeListener())
      close(descriptor)
      let file = "\(directory)/skynet-\(dead).json"
      try String(contentsOfFile: "\(directory)/\(own)", encoding: .utf8)
        .replacingOccurrences(of: incarnation, with: dead)
        .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:\(port)")
        .write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: file)
      let systems = try await stage.skynet(
        "systems", "--no-discovery", "--rendezvous", directory, "--expect", "1"
      ).end()
      #expect(systems.status == 0, "\(systems)")
      #expect(!systems.errors.contains { $0.contains("cannot be reached") }, "\(systems)")
    }
  }

  @Test("A node of another cluster is named, with what would make it one")
  func foreign() async throws {
    try await Stage.with { stage in
      let directory = try Self.directory(stage)
      let arguments = [
        "node", "--name", "other", "--no-discovery", "--rendezvous", directory, "--insecure",
      ]
      _ = try await RunningNode(stage.skynet(arguments))
      let systems = try await stage.skynet(
        ["systems", "--no-discovery", "--rendezvous", directory]
      ).end()
      #expect(systems.errors.contains { $0.contains("1 node of another cluster: other") })
    }
  }

  @Test("A directory that cannot be used ends the command with its reason")
  func unusable() async throws {
    try await Stage.with { stage in
      let missing = stage.file("nowhere")
      let file = stage.file("file")
      try Data().write(to: URL(fileURLWithPath: file))
      for (path, reason) in [(missing, "is not there"), (file, "is not a directory")] {
        for command in [["node"], ["engage"], ["systems"], ["watch", "--once"]] {
          let story = try await stage.skynet(
            command + ["--no-discovery", "--rendezvous", path]
          ).end()
          #expect(story.status == 2)
          #expect(
            story.errors.last?.hasPrefix("error: the rendezvous directory \(path) \(reason)")
              == true, "\(story)")
        }
      }
    }
  }
}
