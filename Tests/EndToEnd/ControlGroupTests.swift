import Foundation
import Testing

/// Nodes in control groups with limits.
@Suite("Control groups", .timeLimit(.ample))
struct ControlGroupTests {
  @Test(
    "A node has as many slots as its control group's CPU quota allows",
    .enabled(ControlGroup.impossible) {
      ControlGroup.isPossible { try ControlGroup(processors: 1) }
    })
  func quota() async throws {
    let group = try ControlGroup(processors: 1.5)
    try await Stage.with { stage in
      let node = try stage.launch(
        "/bin/sh",
        [
          "-c",
          "echo $$ > \(group.folder)/cgroup.procs && exec \(Paths.binary) node --name a "
            + "--host 127.0.0.1 --no-discovery",
        ])
      try await node.line("info: 2 slots, by its control group's CPU quota of 1.5")
      let line = try await node.line("node a ready on port ")
      #expect(line.hasSuffix(" with 2 slots"))
      node.send(SIGTERM)
      #expect(try await node.end().status == 0)
    }
    group.remove()
  }

  @Test("The number of slots that a user sets counts, whatever the limits")
  func given() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a", "--slots", "3")
      #expect(!node.process.account.contains("control group's"))
    }
  }
}
