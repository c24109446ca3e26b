import Foundation
import Testing

/// Machines whose addresses are not those that one would like.
@Suite("Addresses, on virtual hosts", .serialized, .timeLimit(.ample))
struct AddressLabTests {
  @Test(
    "Machines with link-local addresses alone find and invite each other, and print what they take",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func linkLocalAddresses() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        for host in ["h1", "h2"] {
          let flushed = try lab.launch(
            "/bin/ip", ["-4", "address", "flush", "dev", "eth0"], on: host, stage)
          #expect(try await flushed.end().status == 0)
        }
        let directory = stage.file("rendezvous")
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: false)
        let node = try await RunningNode(
          lab.launch(Paths.binary, ["node", "--rendezvous", directory], on: "h2", stage))

        /// The addresses at which a command on the other host sees nodes.
        func seen(by options: String...) async throws -> [String] {
          let systems = try await lab.launch(
            Paths.binary, ["systems", "--json", "--expect", "1"] + options, on: "h1", stage
          ).end()
          #expect(systems.status == 0, "\(systems)")
          return try systems.output.map { line in
            try JSONDecoder().decode(SeenSystem.self, from: Data(line.utf8)).address
          }
        }
        let address = try #require(try await seen(by: "--wait", "5").first)
        #expect(
          address.hasPrefix("[fe80:") && address.hasSuffix("%eth0]:\(node.port)"), "\(address)")
        // As people read it on the other machine, where the interface may have another name.
        let elsewhere = address.replacing("%eth0", with: "")
        for way in [["--peers", address], ["--peers", elsewhere], ["--rendezvous", directory]] {
          #expect(try await seen(by: "--no-discovery", way[0], way[1]) == [address])
        }

        let invitation = try lab.launch(Paths.binary, ["invite"], on: "h2", stage)
        let line = try await invitation.output(where: { !$0.isEmpty })[0]
        #expect(line.hasPrefix("skynet join [fe80:") && !line.contains("%"), "\(line)")
        let joined = try await stage.launch(
          Lab.script,
          ["run", "h1", Paths.binary] + line.split(separator: " ").dropFirst().map(String.init),
          lab.environment.merging(["XDG_CONFIG_HOME": stage.file("newcomer")]) { $1 }
        ).end()
        #expect(joined.status == 0, "\(joined)")
        #expect(try await invitation.end().status == 0)
      }
    }
  }

  /// Debian gives a machine's own name an address of the loopback interface.
  @Test(
    "A node on the loopback interface says so, and is found on its own machine alone",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func loopback() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        let hosts = stage.file("hosts")
        try "127.0.0.1 localhost\n127.0.1.1 h2\n".write(
          toFile: hosts, atomically: false, encoding: .utf8)
        let bound = try lab.launch("/bin/mount", ["--bind", hosts, "/etc/hosts"], on: "h2", stage)
        #expect(try await bound.end().status == 0)
        let local = try lab.launch(
          Paths.binary, ["node", "--name", "local-only", "--host", "h2"], on: "h2", stage)
        try await local.line("warning: listens only on h2, which is 127.0.1.1 here")
        let port = try await RunningNode(local).port
        let other = try lab.launch(Paths.binary, ["node", "--name", "other"], on: "h2", stage)
        _ = try await RunningNode(other)
        for (host, names) in [("h1", ["other"]), ("h2", ["local-only", "other"])] {
          let systems = try await lab.launch(
            Paths.binary,
            ["systems", "--json", "--wait", "5", "--expect", "\(names.count)"], on: host, stage
          ).end()
          #expect(systems.status == 0 && systems.errors.isEmpty, "\(systems)")
          let seen = try systems.output.map {
            try JSONDecoder().decode(SeenSystem.self, from: Data($0.utf8))
          }
          #expect(seen.map(\.name) == names)
          if host == "h2" { #expect(seen.first?.address == "127.0.1.1:\(port)") }
        }
        let hint = try await lab.launch(
          Paths.binary, ["systems", "--no-discovery", "--peers", "h9.local:7777"], on: "h1", stage
        ).end()
        // Where that is installed, the lookup takes longer than the command.
        #expect(
          hint.errors.contains { $0.contains("h9.local:7777 ") && $0.contains("libnss-mdns") },
          "\(hint)")
      }
    }
  }

  /// Two accounts of one machine have a cluster each until one invites the other.
  @Test(
    "Where another account's node runs on the same machine, the advice names the account",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func otherAccount() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 1) { lab in
        let home = stage.file("home")
        try FileManager.default.createDirectory(
          atPath: home, withIntermediateDirectories: false,
          attributes: [.ownerAccountID: 65534, .groupOwnerAccountID: 65534])
        let other = try stage.launch(
          Lab.script,
          [
            "run", "h1", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
            Paths.binary, "node", "--name", "other",
          ], lab.environment.merging(["XDG_CONFIG_HOME": home]) { $1 })
        _ = try await RunningNode(other)
        let node = try lab.launch(Paths.binary, ["node", "--name", "own"], on: "h1", stage)
        _ = try await RunningNode(node)
        for (process, account) in [(node, "nobody"), (other, "root")] {
          let advice = try await process.line("1 node of another cluster: ")
          #expect(
            advice.contains(
              "to join it: run `skynet invite` as \(account) on this machine, and the line"),
            "\(advice)")
        }
      }
    }
  }
}

/// A line of `systems --json`.
private struct SeenSystem: Decodable {
  let name: String
  let address: String
}
