import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetKit

struct SystemsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "systems", abstract: "Show which systems there are.",
    discussion: "Exits with 0, also when there are none.")

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
    let systems = try await Cluster.with(
      settings, scans: [], discoveries: peers.discoveries,
      transport: try security.transport(.standardError)
    ) { cluster in
      try await Task.sleep(for: .seconds(wait))
      return await cluster.systems.connected
    }
    Console.standardError.flush()
    let rows = systems.sorted { ($0.name, $0.address) < ($1.name, $1.address) }
    do {
      try StandardOutput.write(try json ? Self.lines(rows) : Self.table(rows))
    } catch {
      throw fail(error)
    }
  }

  private struct Row: Encodable {
    let name: String
    let address: String
    let slots: Int
    let version: String
    let scans: [ScanKind]
    let incarnation: Incarnation
  }

  private static func lines(_ systems: [RemoteSystem]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try systems.map { system in
      let row = Row(
        name: system.name, address: system.address, slots: system.slots, version: system.version,
        scans: system.scans, incarnation: system.incarnation)
      return String(decoding: try encoder.encode(row), as: UTF8.self) + "\n"
    }.joined()
  }

  private static func table(_ systems: [RemoteSystem]) -> String {
    guard !systems.isEmpty else {
      return "no systems found; start one with `skynet node`, or name one with --peers host:port\n"
    }
    let rows =
      [["NAME", "ADDRESS", "SLOTS", "VERSION"]]
      + systems.map { [$0.name, $0.address, "\($0.slots)", $0.version].map(\.showingControls) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0.padded(to: $1) }
      let line = cells.joined(separator: "  ")
      return line.replacing(/\ +$/, with: "") + "\n"
    }.joined()
  }
}
