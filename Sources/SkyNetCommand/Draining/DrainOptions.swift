import ArgumentParser
import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetKit

/// What `drain` and `undrain` have in common: the names of systems, and how to find and ask these.
struct DrainOptions: ParsableArguments {
  /// How often the command looks whether the systems are there.
  private static let interval = Duration.milliseconds(50)
  /// How much longer it looks for others of the same names.
  private static let afterwards = Duration.milliseconds(500)

  @Argument(
    help: ArgumentHelp(
      """
      The systems' names, as `\(Program.name) systems` shows them; NAME@HOST:PORT where several have one name, and HOST:PORT \
      where only the address is known.
      """,
      valueName: "name"))
  var names: [String]

  @OptionGroup var peers: PeerOptions

  @OptionGroup var security: SecurityOptions

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("How long to look for the systems, at most. (default: 2s)"),
    transform: TimeOption.seconds)
  var searchTimeout = 2.0

  func validate() throws {
    try Check.seconds("search-timeout", searchTimeout)
    guard !peers.findNone else {
      throw ValidationError(
        "with --no-discovery, --peers or --rendezvous must say where the systems are")
    }
  }

  /// Finds the systems, and runs `body` with them while it is connected.
  ///
  /// - Throws: `ExitCode`; the error of `body`.
  func withSystems<Result: Sendable>(
    _ body: @Sendable (Cluster, [RemoteSystem]) async throws -> Result
  ) async throws -> Result {
    ConsoleLog.begin()
    try DescriptorShortage.check(hasDiscovery: !peers.noDiscovery)
    do {
      try MemoryShortage.check("to connect", .toConnect())
      let settings = ClusterSettings(
        name: Self.requester, localSlots: 0, timeout: .seconds(max(searchTimeout, 5)))
      return try await Cluster.with(
        settings, scans: [], discoveries: try peers.discoveries(),
        transport: Transport(try security.transport(.standardError))
      ) { cluster in
        let systems = try await find(in: cluster)
        return try await body(cluster, systems)
      }
    } catch let status as ExitCode {
      throw status
    } catch {
      throw fail(error)
    }
  }

  private func find(in cluster: Cluster) async throws -> [RemoteSystem] {
    let clock = SteadyClock()
    let deadline = clock.now + .seconds(searchTimeout)
    var systems = NamedSystems(systems: await cluster.connectedSystems)
    while clock.now < deadline, !systems.hasAll(names) {
      try await Task.sleep(for: Self.interval)
      systems = NamedSystems(systems: await cluster.connectedSystems)
    }
    // A name is refused if several systems bear it, so the first one to answer is not taken at once.
    try await Task.sleep(for: Self.afterwards)
    return try NamedSystems(systems: await cluster.connectedSystems).all(names)
  }

  /// The user and the machine, which the systems name as the ones that asked.
  private static var requester: String { "\(Self.user)@\(Machine.name)" }

  /// The user's name; the number of the user, as `uid 1000`, if it has no name here, as in a container.
  private static var user: String {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name, name.pointee != 0 else {
      return "uid \(getuid())"
    }
    return String(cString: name)
  }
}

extension SystemStatus {
  /// How many scans run.
  var runningCount: Int { running.values.reduce(0, +) }
}
