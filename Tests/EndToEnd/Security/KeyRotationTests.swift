import Foundation
import SkyNetKeys
import TestSupport
import Testing

/// The cluster's key is changed on every machine while an engagement runs.
@Suite("A change of the key", .timeLimit(.ample))
struct KeyRotationTests {
  /// A machine, which is an account of its own.
  private struct Machine {
    let stage: Stage
    let name: String

    var environment: [String: String] { ["XDG_CONFIG_HOME": stage.file("machine-\(name)")] }
    var file: KeyFile { KeyFile(path: stage.file("machine-\(name)") + "/skynet/cluster.key") }

    func key(_ arguments: String..., input: String? = nil) async throws {
      let command = "'\(Paths.binary)' key \(arguments.joined(separator: " "))"
      let story =
        if let input {
          try await stage.shell(command, input: input, environment).end()
        } else {
          try await stage.launch("/bin/sh", ["-c", command], environment).end()
        }
      #expect(story.status == 0, "\(story)")
    }

    func node(_ options: [String]) async throws -> RunningNode {
      try await RunningNode(
        stage.launch(
          Paths.binary, ["node", "--name", name, "--slots", "4"] + options, environment))
    }
  }

  @Test(
    "A key that is changed on every machine during an engagement loses no sector and stops nothing")
  func rotation() async throws { try await rotate(byName: true) }

  @Test(
    "Nor does it where the nodes are found by DNS-SD",
    .enabled(if: PrivateAvahi.isThere, PrivateAvahi.missing))
  func rotationWithDiscovery() async throws { try await rotate(byName: false) }

  private func rotate(byName: Bool) async throws {
    try await Stage.with { stage in
      let old = ClusterKeys(ClusterKey())
      let mark = UUID().uuidString.prefix(6)
      let machines = ["a", "b", "c", "d"].map { Machine(stage: stage, name: "\($0)-\(mark)") }
      let home = Machine(stage: stage, name: "home")
      for machine in machines + [home] { try machine.file.replace(with: old) }
      var nodes: [RunningNode] = []
      for machine in machines {
        nodes.append(
          try await machine.node(byName ? ["--host", "127.0.0.1", "--no-discovery"] : []))
      }
      let peers = nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
      let finding = byName ? ["--no-discovery", "--peers", peers] : []

      func engage(on machine: Machine, _ options: [String]) throws -> RunningEngagement {
        let results = stage.file("results-\(UUID().uuidString)")
        return RunningEngagement(
          process: try stage.launch(
            Paths.binary, ["engage", "--no-local", "--results", results] + finding + options,
            machine.environment), resultsFile: results)
      }
      /// An engagement that begins now finds so many of the nodes, or more.
      func expectEngagement(on machine: Machine, with count: Int) async throws {
        try await engage(
          on: machine,
          ["--wait-for", "\(count)", "--total", "16", "--scan-seconds", "0.01"]
        ).outcome().expectEverySectorOnce(of: 16)
      }

      let run = try engage(
        on: home, ["--wait-for", "4", "--total", "100000", "--scan-seconds", "0.6"])
      for node in nodes { try await run.completions(by: node.name) }

      // All get the new key, one after another, and hold both.
      try await machines[0].key("add", "--new")
      let both = try machines[0].file.readAll()
      #expect(both.all.count == 2 && both.all.last == old.newest)
      try await nodes[0].process.line("this node holds the keys \(both) now")
      try await expectEngagement(on: home, with: 4)
      try await expectEngagement(on: machines[0], with: 4)
      for index in 1..<machines.count {
        try await machines[index].key("add", input: both.text + "\n")
        try await nodes[index].process.line("this node holds the keys \(both) now")
      }
      try await expectEngagement(on: home, with: 4)
      try await expectEngagement(on: machines[3], with: 4)
      try await home.key("import", input: both.text + "\n")
      try await run.process.line("this program holds the keys \(both) now")

      // All retire the old one, one after another.
      let new = ClusterKeys(both.newest)
      for index in machines.indices {
        try await machines[index].key("retire", old.newest.fingerprint)
        try await nodes[index].process.line("this node holds the key \(new) now")
        if index == 1 {
          try await expectEngagement(on: home, with: 4)
          try await expectEngagement(on: machines[0], with: 4)
        }
      }
      try await home.key("retire", String(old.newest.fingerprint.prefix(6)))
      try await run.process.line("this program holds the key \(new) now")
      try await expectEngagement(on: home, with: 4)

      let outcome = try await run.stopUndisturbed()
      #expect(Set(outcome.shares.keys) == Set(nodes.map(\.name)))
      // The change itself was no fault of any sector.
      #expect(outcome.errors.allSatisfy { !$0.contains("gave up") })
      // An outsider with the old key is kept out.
      let late = Machine(stage: stage, name: "late")
      try late.file.replace(with: old)
      let systems = try await stage.launch(
        Paths.binary, ["systems", "--json", "--wait", "1"] + finding, late.environment
      ).end()
      #expect(systems.output.allSatisfy { line in !nodes.contains { line.contains($0.name) } })
    }
  }

  @Test(
    "A key file that is broken, open to others or gone leaves a node its former key, and is told")
  func faults() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a")
      let file = KeyFile(path: stage.account + "/skynet/cluster.key")
      let key = try file.readAll()
      try Data("hello".utf8).write(to: URL(fileURLWithPath: file.path))
      try await node.process.line("this node keeps its keys: \(file.path): this is no cluster key")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o666], ofItemAtPath: file.path)
      try await node.process.line("can be used by others than its owner (mode 666)")
      try FileManager.default.removeItem(atPath: file.path)
      try await node.process.line(
        "this node keeps its keys: the key file \(file.path) is gone: put it back")
      let run = try stage.engage(
        peers: [node.port], ["--no-local", "--total", "4", "--scan-seconds", "0"],
        ["SKYNET_KEY": key.text])
      try await run.outcome().expectEverySectorOnce(of: 4)
      try file.replace(with: key)
      try await node.process.line("this node can read its key file again, and keeps its keys")
    }
  }

  @Test("A node that dials tells of each change of its keys once")
  func dialling() async throws {
    try await Stage.with { stage in
      let machine = Machine(stage: stage, name: "a")
      let old = ClusterKeys(ClusterKey())
      try machine.file.replace(with: old)
      let node = try await machine.node(
        ["--host", "127.0.0.1", "--no-discovery", "--join", "127.0.0.1:9"])
      try await machine.key("add", "--new")
      let both = try machine.file.readAll()
      try await node.process.line("this node holds the keys \(both) now")
      // When the second change is told, a second teller of the first one would have told it too.
      try await machine.key("retire", old.newest.fingerprint)
      try await node.process.line("this node holds the key \(both.newest.fingerprint) now")
      let told = node.process.soFar.errors.count { $0.contains(" holds the key") }
      #expect(told == 2, "\(node.process.soFar.errors)")
    }
  }

  @Test("SKYNET_KEY takes several keys, and they do not change")
  func environment() async throws {
    try await Stage.with { stage in
      let keys = try ClusterKeys(ClusterKey()).adding(ClusterKeys(ClusterKey()))
      let node = try await RunningNode(
        stage.launch(
          Paths.binary, ["node", "--host", "127.0.0.1", "--no-discovery"],
          ["SKYNET_KEY": keys.text]))
      for key in keys.all {
        let run = try stage.engage(
          peers: [node.port], ["--no-local", "--total", "4", "--scan-seconds", "0"],
          ["SKYNET_KEY": key.text])
        try await run.outcome().expectEverySectorOnce(of: 4)
      }
    }
  }

  @Test(
    "A key on a read-only mount is accepted with any mode, and cannot be changed there",
    .enabled("needs root and unshare") { await Namespace.isPossible })
  func secretMount() async throws {
    try await Stage.with { stage in
      let key = ClusterKey()
      let folder = stage.file("secret")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/key"
      try Data(key.text.utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      func mounted(_ command: String) async throws -> RunningProcess.Story {
        let mount = "mount --bind '\(folder)' '\(folder)' && mount -o remount,ro,bind '\(folder)'"
        return try await stage.launch(
          "/bin/sh",
          ["-c", #"exec unshare -m sh -c "$0""#, "\(mount) && exec '\(Paths.binary)' \(command)"],
          ["SKYNET_KEY_FILE": path]
        ).end()
      }
      #expect(try await mounted("key list").output == [key.fingerprint])
      let systems = try await mounted("systems --no-discovery --wait 0.1")
      #expect(systems.status == 0, "\(systems)")
      for change in ["new", "add --new"] {
        let story = try await mounted("key \(change)")
        #expect(story.status == 2 && story.errors.count == 1)
        #expect(story.errors[0].contains("read-only file system"), "\(story)")
        #expect(story.errors[0].contains("Change the key where the file comes from"))
      }
      let open = try await stage.skynet("key", "list", "--key-file", path).end()
      #expect(open.status == 2 && open.errors[0].contains("chmod 600 '\(path)'"))
    }
  }
}
