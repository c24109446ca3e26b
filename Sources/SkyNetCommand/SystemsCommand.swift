import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetKit

struct SystemsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "systems", abstract: "Show the systems on the network, and their scans.",
    discussion: """
      RUNNING, WAITING and DONE count the system's scans: those that run, that wait for a slot, and that \
      have ended since the system started. FAILED counts the ended scans that threw. LOAD is the load \
      average of the system's machine over one minute, and CLIENTS are the programs whose scans run or \
      wait. CACHE, where a system keeps data for later passes, is how many, and how often it had what a scan \
      asked for. A system that does not report its scans within a second has - in these columns; with --json \
      it lacks these members.

      ENGAGEMENTS, below, are all that the systems hear of, wherever they run; with --json each system \
      has those it hears of, and its running scans as "scanning". Nodes with another key are not listed: \
      a line on standard error names them, and the commands that would make it one cluster.

      \(TimeOption.explanation)

      Exits with 0, even if there are no systems; with 1 if there are fewer than --expect asks for.
      """)

  /// How long to wait for a system's status.
  private static let patience = Duration.seconds(1)

  @OptionGroup var peers: PeerOptions

  @OptionGroup var security: SecurityOptions

  @Option(
    parsing: .unconditional, help: TimeOption.help("How long to look for systems. (default: 2s)"),
    transform: TimeOption.seconds)
  var wait = 2.0

  @Flag(help: "Print a JSON object for each system, one on a line, instead of a table.")
  var json = false

  @Option(
    parsing: .unconditional,
    help: "Exit with 1 if fewer than N systems are found, as a health check does.")
  var expect = 0

  func validate() throws {
    try Check.seconds("wait", wait)
    try Check.range("expect", expect, 0...Int.max)
  }

  func run() async throws {
    ConsoleLog.begin()
    try DescriptorShortage.check(hasDiscovery: !peers.noDiscovery)
    do {
      try MemoryShortage.check("to connect", .toConnect())
    } catch {
      throw fail(error)
    }
    security.tellOfSharing(.standardError)
    // A user who looks for systems for longer may have slow links, so systems may answer more slowly
    // too.
    let settings = ClusterSettings(
      name: Machine.name, localSlots: 0, timeout: .seconds(max(wait, 5)))
    let (table, foreignNodes) = try await Cluster.with(
      settings, scans: [], discoveries: try peers.discoveries(),
      transport: Transport(try security.transport(.standardError))
    ) { cluster in
      try await Task.sleep(for: .seconds(wait))
      let systems = await cluster.connectedSystems
      let table = SystemsTable(
        systems: systems.sorted { ($0.name, $0.address) < ($1.name, $1.address) },
        statuses: await cluster.statuses(of: systems, within: Self.patience))
      return (
        table,
        ForeignNodesText(await cluster.foreignNodes, ownFingerprint: cluster.ownFingerprint)
      )
    }
    Console.standardError.flush()
    do {
      try StandardOutput.write(json ? try table.lines() : table.text.shown)
    } catch {
      throw fail(error)
    }
    for line in foreignNodes.lines { Console.standardError.line(line) }
    Console.standardError.flush()
    try checkCount(table.systems.count)
  }

  /// - Throws: `ExitCode` if fewer systems were found than expected.
  private func checkCount(_ found: Int) throws {
    guard found < expect else { return }
    let console = Console.standardError
    console.line(
      "\(found) of \(expect) systems were found within \(Duration.seconds(wait).inTenths) s: "
        + "start more with `\(Program.name) node`, or wait longer with --wait", level: .error)
    console.flush()
    throw ExitCode.tooFewSystems
  }
}
