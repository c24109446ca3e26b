import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetKit
import SkyNetMetrics
import SkyNetTransport
import SkyNetViews
import SkyNetWeb
import SkyScan
import UnixSignals

struct NodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node", abstract: "Run scans for engagements on this machine, until stopped.",
    discussion: """
      At SIGTERM, Ctrl-C, or when its terminal is closed (SIGHUP, unless nohup has it ignored), the \
      node takes no new scans, finishes those that run (within 10 s) and exits with 0; a second \
      signal stops it at once.

      Examples:

        skynet node
        skynet node --name ada --slots 8
        skynet node --port 7777 --no-discovery
        skynet node --metrics 9464 --log-format json
      """)

  @Option(help: "The system's name. (default: the host's name)")
  var name: String?

  @Option(
    parsing: .unconditional,
    help: "How many scans run at a time. (default: 4, or the number of cores if that is larger)")
  var slots: Int?

  @Option(parsing: .unconditional, help: "The port to listen on. (default: any free one)")
  var port: Int?

  @Option(help: "The address to listen on. (default: all)")
  var host: String?

  @Option(
    parsing: .unconditional,
    help: """
      A peer that sends nothing for this many seconds is gone. A peer that connects has the same time, \
      and at least 5 seconds, to show that it is a member.
      """)
  var timeout = 5.0

  @Flag(help: "Neither advertise this node nor look for others by DNS-SD.")
  var noDiscovery = false

  @OptionGroup var security: SecurityOptions

  @OptionGroup(title: "In a browser") var page: PageOptions

  @Option(parsing: .unconditional, help: "Make simulated scans X times as fast here.")
  var speed = 1.0

  @Option(
    help: "The least level to log: \(LogLevel.names). (default: info)", transform: LogLevel.level)
  var logLevel = Logger.Level.info

  @OptionGroup var log: LogFormatOption

  @OptionGroup var observing: MetricsOptions

  func validate() throws {
    try Check.name(name)
    try Check.slots(slots)
    try Check.range("port", port, 1...65_535)
    try Check.seconds("timeout", timeout, atLeast: Hello.minimumTimeoutSeconds)
    guard speed > 0, speed <= 1e6 else {
      throw ValidationError("--speed is \(speed), but it must be more than 0 and at most 1000000")
    }
  }

  func run() async throws {
    let level = logLevel
    LoggingSystem.bootstrap { ConsoleLog(label: $0, logLevel: level, showsTime: true) }
    log.apply()
    try DescriptorShortage.check(hasDiscovery: !noDiscovery)
    let console = Console.standardError
    let slots = slots ?? Machine.slots
    do {
      try MemoryShortage.check(
        "to scan in \(slots) slots",
        .toConnect(scanThreads: slots), remedy: "fewer --slots")
    } catch {
      throw fail(error)
    }
    let metrics: MetricsServer?
    do {
      // Before the node is made, which counts for what is set by then.
      metrics = try observing.server()
    } catch {
      throw fail(error)
    }
    let settings = NodeSettings(
      name: name ?? Machine.name, slots: slots,
      endpoint: host.map { Endpoint(host: $0, port: port ?? 0) } ?? .everywhere(port: port ?? 0),
      timeout: .seconds(timeout))
    let discovery = noDiscovery ? nil : DNSSD()
    let node = Node(
      settings, scans: [SimulatedScan(speed: speed), SourceScan()],
      transport: Transport(
        try security.transport(
          console, timeout: settings.timeout, holding: MemoryBudget.forServing)),
      advertiser: discovery, discovery: discovery
    ) { name, endpoint in
      console.line("node \(name) ready on port \(endpoint.port) with \(slots) slots")
      console.flush()
    }
    do {
      try await serve(node, console, metrics)
    } catch let status as ExitCode {
      throw status
    } catch {
      throw fail(error)
    }
    console.flush()
  }

  private func serve(_ node: Node, _ console: Console, _ metrics: MetricsServer?) async throws {
    guard let metrics else { return try await serveWithPage(node, console) }
    metrics.add {
      guard let status = node.system.servingStatus else { return [] }
      return ClusterFigures.node(
        status, condition: node.condition, clients: node.clientCount)
    }
    try await metrics.serve(console) {
      Health(node.condition.rawValue, takesWork: node.condition == .ready)
    } while: {
      try await serveWithPage(node, console)
    }
  }

  private func serveWithPage(_ node: Node, _ console: Console) async throws {
    let watcher = NodeWatcher(node)
    try await page.serve(
      ClusterFeed(kind: "node") { watcher.view }, name: name ?? Machine.name, console
    ) { address in
      try await withThrowingTaskGroup(of: Void.self) { group in
        if address != nil { group.addTask { await watcher.run() } }
        try await serve(node, console)
        group.cancelAll()
      }
    }
  }

  private func serve(_ node: Node, _ console: Console) async throws {
    let services = ServiceGroup(
      services: [node], gracefulShutdownSignals: Signals.stopping,
      logger: Logger(label: "skynet.service") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { await console.run() }
      group.addTask { await show(node, console) }
      group.addTask {
        // The service group handles the first signal.
        await Signals.watch { count, status in
          if count > 1 { Foundation.exit(status.rawValue) }
          return true
        }
      }
      try await services.run()
      group.cancelAll()
    }
  }

  /// Shows the node's scans on a terminal, until cancelled.
  private func show(_ node: Node, _ console: Console) async {
    guard console.canRedraw else { return }
    var frame = 0
    while !Task.isCancelled {
      if let status = node.system.servingStatus {
        let view = NodeView(
          status: status, clients: node.clients, engagements: node.engagements, frame: frame)
        console.show(view.lines(columns: console.window.columns))
      }
      frame += 1
      try? await Task.sleep(for: .milliseconds(200))
    }
    console.show([])
    console.flush()
  }
}

private enum LogLevel {
  static let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")

  static func level(_ name: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: name) else {
      throw ValidationError("\"\(name)\" is none of \(names)")
    }
    return level
  }
}
