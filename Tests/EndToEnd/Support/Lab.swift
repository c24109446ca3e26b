import Foundation
import Testing

/// A lab of virtual hosts (`deploy/lab`), independent of other labs on this machine.
struct Lab {
  static let impossible: Comment =
    "needs root, Avahi, and a kernel that lets it make networks: see deploy/lab"
  static let script = Paths.package.appendingPathComponent("deploy/lab").path

  let environment = ["SKYNET_LAB": "test-\(UUID().uuidString.prefix(8))"]

  static var isPossible: Bool { get async { await trial.value } }
  private static let trial = Task {
    guard geteuid() == 0 else { return false }
    return (try? await with(hosts: 1) { _ in }) != nil
  }

  static let unfiltered: Comment =
    "needs what deploy/lab needs, iptables, and a kernel that filters packets"

  /// Whether hosts of a lab can be made to drop packets.
  static var filtersPackets: Bool { get async { await filter.value } }
  private static let filter = Task {
    guard await isPossible else { return false }
    return
      (try? await Stage.with { stage in
        let list = try await stage.launch("/bin/sh", ["-c", "unshare -n iptables --list"]).end()
        guard list.status == 0 else { throw Unexpected("no iptables") }
      }) != nil
  }

  /// Runs `body` with a lab, and removes the lab afterwards.
  static func with(hosts: Int, _ body: (Lab) async throws -> Void) async throws {
    let lab = Lab()
    let result: Result<Void, any Error>
    do {
      try await lab.run("up", "\(hosts)")
      result = .success(try await body(lab))
    } catch {
      result = .failure(error)
    }
    // A separate task also runs if this one is cancelled: nothing else would remove the lab.
    try await Task { try await lab.run("down") }.value
    try result.get()
  }

  /// The file of a host's network namespace, for `FaultyWire`.
  func network(of host: String) -> String {
    "/run/skynet-lab-\(environment["SKYNET_LAB"] ?? "")/\(host)/net"
  }
  static func address(of host: String) -> String { "10.77.0.\(host.dropFirst())" }

  /// Starts a program on a host. The process's id, streams and exit status are the program's own.
  func launch(_ program: String, _ arguments: [String], on host: String, _ stage: Stage) throws
    -> RunningProcess
  {
    try stage.launch(Self.script, ["run", host, program] + arguments, environment)
  }

  /// The ids of all processes of this program on the hosts.
  func processes(of program: String) -> [pid_t] {
    let mark = Data("SKYNET_LAB=\(environment["SKYNET_LAB"] ?? "")\0".utf8)
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return ids.compactMap { pid_t($0) }.filter { id in
      guard let variables = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
        (variables + [0]).range(of: mark) != nil
      else { return false }
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")
      return target == program
    }
  }

  /// The script prints its exit status itself: Foundation's `Process` would wait for the daemons
  /// that it has started.
  func run(_ arguments: String...) async throws {
    let command = try RunningProcess(
      "/bin/sh", ["-c", #""$0" "$@"; echo "exit status $?" >&2"#, Self.script] + arguments,
      environment: environment)
    let line = try await command.line("exit status ")
    guard line == "exit status 0" else { throw Unexpected(command.account) }
  }
}
