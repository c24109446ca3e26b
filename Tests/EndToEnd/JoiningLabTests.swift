import Foundation
import Testing

/// Two machines with empty homes become one cluster, as a newcomer would make them one.
@Suite("Joining, on virtual hosts", .timeLimit(.ample))
struct JoiningLabTests {
  @Test(
    "Two hosts with a node each are one cluster within a minute of the invitation",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func twoHosts() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        func launch(_ arguments: [String], on host: String) throws -> RunningProcess {
          try stage.launch(
            Lab.script, ["run", host, Paths.binary] + arguments,
            lab.environment.merging(["XDG_CONFIG_HOME": stage.file("home-of-\(host)")]) { $1 })
        }
        var nodes: [RunningNode] = []
        for host in ["h1", "h2"] {
          let node = try await RunningNode(launch(["node"], on: host))
          #expect(node.process.soFar.errors[0].hasPrefix("made a cluster key, "))
          nodes.append(node)
        }
        // What a newcomer sees: each node names the other, and what to do.
        let advice = try await nodes[0].process.line("1 node of another cluster: h2 (key ")
        #expect(
          advice.contains("to let it in: run `skynet invite` here, and the line that it prints on"))
        try await nodes[1].process.line("1 node of another cluster: h1 (key ")

        let begin = ContinuousClock.now
        let invitation = try launch(["invite"], on: "h1")
        let line = try await invitation.output(where: { !$0.isEmpty })[0]
        #expect(line.hasPrefix("skynet join \(Lab.address(of: "h1")):"), "\(line)")
        let words = line.split(separator: " ").dropFirst().map(String.init)
        let joined = try await launch(words, on: "h2").end()
        #expect(joined.status == 0, "\(joined)")
        #expect(try await invitation.end().status == 0)
        try await nodes[1].process.line("this node holds the key ")
        for host in ["h1", "h2"] {
          let run = try launch(
            ["engage", "--wait-for", "2", "--no-local", "--total", "40", "--scan-seconds", "0.1"],
            on: host)
          let story = try await run.end()
          #expect(story.status == 0, "\(story)")
          #expect(try Summary(#require(story.errors.last)).shares.keys.sorted() == ["h1", "h2"])
        }
        #expect(begin.duration(to: .now) < .seconds(60))
      }
    }
  }
}
