import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetKit
import SkyNetWeb

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the cluster live: its systems, their scans, and all engagements.",
    discussion: """
      Fills the terminal until you leave with q or Ctrl-C; press ? for the other keys. It only looks: it \
      runs no scans and changes nothing. On a pipe, or a terminal of type dumb, it prints a plain report \
      each --interval instead, and with --once a single one.

      An engagement is shown with what it told the systems with its last heartbeat, wherever it runs. See \
      SkyNet's docs/watch.md.

      \(TimeOption.explanation)

      Exits with 0 after q; with 130 or 143 after Ctrl-C or another signal.
      """)

  @OptionGroup var peers: PeerOptions

  @OptionGroup var security: SecurityOptions

  @OptionGroup(title: "In a browser") var page: PageOptions

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("The time from one look to the next. (default: 1s)"),
    transform: TimeOption.seconds)
  var interval = 1.0

  @Flag(help: "Print one plain report, after --wait, and exit.")
  var once = false

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("With --once, how long to look for systems. (default: 2s)"),
    transform: TimeOption.seconds)
  var wait: Double?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("A system that sends nothing for this long is gone. (default: 5s)"),
    transform: TimeOption.seconds)
  var timeout = 5.0

  func validate() throws {
    try Check.seconds("interval", interval, atLeast: 0.1)
    try Check.seconds("wait", wait)
    try Check.seconds("timeout", timeout, atLeast: Hello.minimumTimeoutSeconds)
    guard once || wait == nil else {
      throw ValidationError("--wait is for --once: give both or none")
    }
    guard !once || page.web == nil else {
      throw ValidationError("--web shows what goes on, and --once looks once: leave out one")
    }
    guard !peers.findNone else {
      throw ValidationError(
        "with --no-discovery, --peers or --rendezvous must name the systems to watch")
    }
  }

  func run() async throws {
    let screen = once ? nil : FullScreen()
    let log = WatchLog()
    let fillsScreen = screen != nil
    LoggingSystem.bootstrap { _ -> any LogHandler in
      fillsScreen
        ? WatchLog.Handler(log) as any LogHandler
        : ConsoleLog(logLevel: .warning, showsTime: false)
    }
    try DescriptorShortage.check(hasDiscovery: !peers.noDiscovery)
    do {
      try MemoryShortage.check("to connect", .toConnect())
    } catch {
      throw fail(error)
    }
    let settings = ClusterSettings(
      name: Machine.name, localSlots: 0, timeout: .seconds(timeout))
    let status = try await Cluster.with(
      settings, scans: [], discoveries: try peers.discoveries(),
      transport: Transport(try security.transport(.standardError))
    ) { cluster in
      let run = WatchRun(cluster, every: .seconds(interval), log: log)
      return try await page.serve(
        ClusterFeed(kind: "cluster") { run.view }, name: Machine.name, .standardError
      ) { served in
        if let served { run.note("page: \(served.address)") }
        if let screen { return await run.fill(screen) }
        do {
          return once
            ? try await run.reportOnce(after: .seconds(wait ?? 2)) : try await run.report()
        } catch let error as OutputError {
          throw fail(error)
        }
      }
    }
    Console.standardError.flush()
    if let status { throw status }
  }
}
