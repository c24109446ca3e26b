import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetKit

struct SystemsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "systems", abstract: "Show which systems there are, and what they do.",
    discussion: """
      RUNNING, WAITING, DONE and FAILED count the system's scans: those that run, that wait for a slot, \
      that ended since it started, and those of them that threw. LOAD is its machine's load average of \
      one minute, and CLIENTS are those whose scans run or wait. A system that does not say so within a \
      second, as an older one does not, has - there; with --json it has no such members.

      Exits with 0, also when there are none.
      """)

  /// How long to wait for what a system says that it is doing.
  private static let patience = Duration.seconds(1)

  @OptionGroup var peers: PeerOptions

  @OptionGroup var security: SecurityOptions

  @Option(parsing: .unconditional, help: "How many seconds to look for them.")
  var wait = 2.0

  @Flag(help: "Print a JSON object a line instead of a table.")
  var json = false

  func validate() throws {
    try Check.seconds("wait", wait)
  }

  func run() async throws {
    LoggingSystem.bootstrap { _ in ConsoleLog(logLevel: .warning, showsTime: false) }
    try DescriptorShortage.check(hasDiscovery: !peers.noDiscovery)
    do {
      try MemoryShortage.check("to connect", .toConnect())
    } catch {
      throw fail(error)
    }
    // A system that is looked for longer may take longer to answer.
    let settings = ClusterSettings(
      name: Machine.name, localSlots: 0, timeout: .seconds(max(wait, 5)))
    let table = try await Cluster.with(
      settings, scans: [], discoveries: peers.discoveries,
      transport: Transport(try security.transport(.standardError))
    ) { cluster in
      try await Task.sleep(for: .seconds(wait))
      let systems = await cluster.connectedSystems
      return SystemsTable(
        systems: systems.sorted { ($0.name, $0.address) < ($1.name, $1.address) },
        statuses: await cluster.statuses(of: systems, within: Self.patience))
    }
    Console.standardError.flush()
    do {
      try StandardOutput.write(json ? try table.lines() : table.text)
    } catch {
      throw fail(error)
    }
  }
}
