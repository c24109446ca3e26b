import Foundation
import Testing

/// Nodes in control groups with limits.
@Suite("Control groups", .serialized, .timeLimit(.minutes(20)))
struct ControlGroupTests {
  @Test(
    "A node has as many slots as its control group's CPU quota allows",
    .enabled(ControlGroup.impossible) { ControlGroup.isPossible })
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

/// A control group of version 1 or 2 with a CPU quota.
private struct ControlGroup {
  static let impossible: Comment = "no control groups for processor time that may be made here"

  private static let period = 100_000

  static var isPossible: Bool {
    guard let group = try? ControlGroup(processors: 1) else { return false }
    group.remove()
    return true
  }

  let folder: String

  init(processors: Double) throws {
    let root = "/sys/fs/cgroup"
    let isSecond = FileManager.default.fileExists(atPath: root + "/cgroup.controllers")
    folder = root + (isSecond ? "" : "/cpu") + "/skynet-test-\(UUID().uuidString)"
    guard mkdir(folder, 0o755) == 0 else { throw Unexpected("no group can be made") }
    let quota = Int(processors * Double(Self.period))
    do {
      if isSecond {
        try write("\(quota) \(Self.period)", to: "cpu.max")
      } else {
        try write("\(Self.period)", to: "cpu.cfs_period_us")
        try write("\(quota)", to: "cpu.cfs_quota_us")
      }
    } catch {
      remove()
      throw error
    }
  }

  private func write(_ text: String, to file: String) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/\(file)"))
    defer { try? handle.close() }
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Removes the group, in which no process may be left.
  func remove() { rmdir(folder) }
}
