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
import Synchronization

struct NodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node", abstract: "Run scans for engagements on this machine, until stopped.",
    discussion: """
      At SIGTERM, Ctrl-C, or when its terminal is closed (SIGHUP, unless nohup has it ignored), the \
      node takes no new scans, finishes those that run (within --drain-timeout) and exits with 0; a \
      second signal ends it within a second. With --lifetime and --idle-timeout it leaves so by itself. \
      `skynet drain NAME` takes it out of work while it stays up.

      \(TimeOption.explanation)

      Examples:

        skynet node
        skynet node --name ada --slots 8
        skynet node --port 7777 --no-discovery
        skynet node --metrics 9464 --log-format json
        skynet node --lifetime 2h --drain-timeout 5m
        skynet node --data /data/night
      """)

  @Option(help: "The system's name. (default: the host's name)")
  var name: String?

  @Option(
    parsing: .unconditional,
    help: """
      How many scans run at a time. (default: 4, or the number of cores if that is larger, or what its \
      control group has room for)
      """)
  var slots: Int?

  @Option(parsing: .unconditional, help: "The port to listen on. (default: any free one)")
  var port: Int?

  @Option(help: "The address to listen on. (default: all)")
  var host: String?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      A peer that sends nothing for this long is gone. A peer that connects has the same time, and at \
      least 5 s, to show that it is a member. (default: 5s)
      """), transform: TimeOption.seconds)
  var timeout = 5.0

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      "How long running scans may take to finish when the node is stopped. (default: 10s)"),
    transform: TimeOption.seconds)
  var drainTimeout = 10.0

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      Be gone when the process is this old, as for a batch job with a time limit. The node starts nothing \
      that usually takes longer than what is left, leaves when nothing fits any more, and exits with 0.
      """), transform: TimeOption.seconds)
  var lifetime: Double?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      Leave, and exit with 0, when no scan has run or waited for this long; clients may be connected. A node that \
      is drained by request, or through which others are reached, stays.
      """),
    transform: TimeOption.seconds)
  var idleTimeout: Double?

  @Flag(help: "Neither advertise this node nor look for others by DNS-SD.")
  var noDiscovery = false

  @Option(
    help: ArgumentHelp(
      """
      Write this node's addresses to a file in this directory, where programs with the same option look for nodes: \
      one on a shared file system.
      """, valueName: "dir"), completion: .directory)
  var rendezvous: String?

  @Option(
    help: ArgumentHelp(
      """
      Dial what listens here, again and again: engagements (`skynet engage --listen`), or a node, through which \
      engagements then reach this one. A host:port, or the name of a service with SRV records, and more after \
      commas. For a node that nothing can connect to. It may be given several times.
      """,
      valueName: "host:port,…"),
    transform: PeerOptions.references)
  var join: [[PeerReference]] = []

  @Flag(help: "With --join, only dial: do not listen, nor advertise this node.")
  var noListen = false

  @OptionGroup var data: DataOptions

  @OptionGroup var caching: CacheOption

  @OptionGroup var security: SecurityOptions

  @OptionGroup(title: "In a browser") var page: PageOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Make simulated scans so many times as fast here.", valueName: "factor"))
  var speed = 1.0

  @Option(
    help: "The least level to log: \(LogLevel.names). (default: info)",
    completion: .list(Logger.Level.allCases.map(\.rawValue)), transform: LogLevel.level)
  var logLevel = Logger.Level.info

  @OptionGroup var log: LogFormatOption

  @OptionGroup var observing: MetricsOptions

  /// Ten years, in seconds.
  private static let longestLife = 3650 * 86_400.0

  func validate() throws {
    try Check.name(name)
    try Check.slots(slots)
    try Check.range("port", port, 1...65_535)
    try Check.seconds("timeout", timeout, atLeast: Hello.minimumTimeoutSeconds)
    try checkReachability()
    try Check.seconds("drain-timeout", drainTimeout, atLeast: 0)
    try Check.seconds("lifetime", lifetime, atLeast: 1, atMost: Self.longestLife)
    try Check.seconds("idle-timeout", idleTimeout, atLeast: 0.1, atMost: Self.longestLife)
    guard speed > 0, speed <= 1e6 else {
      throw ValidationError("--speed is \(speed), but it must be more than 0 and at most 1000000")
    }
  }

  private func checkReachability() throws {
    if rendezvous == "" {
      throw ValidationError("--rendezvous is empty, but a directory's name is needed")
    }
    guard noListen else { return }
    if join.allSatisfy(\.isEmpty) {
      throw ValidationError(
        "--no-listen leaves no way to this node: name engagements or nodes to dial with --join host:port,…, or "
          + "leave it out")
    }
    for (name, isGiven) in [
      ("port", port != nil), ("host", host != nil), ("rendezvous", rendezvous != nil),
    ] where isGiven {
      throw ValidationError(
        "--\(name) is for a node that listens, and with --no-listen it does not")
    }
  }

  func run() async throws {
    let level = logLevel
    LoggingSystem.bootstrap { ConsoleLog(label: $0, logLevel: level, showsTime: true) }
    log.apply()
    try DescriptorShortage.check(hasDiscovery: !noDiscovery)
    let console = Console.standardError
    let (slots, slotsLimit) = try chosenSlots()
    let metrics: MetricsServer?
    let cache = caching.cache
    let access: DataAccess
    do {
      access = try data.access(except: (security.files + observing.files).compactMap(\.path))
      // Before the node is made, which counts for what is set by then.
      metrics = try observing.server()
    } catch {
      throw fail(error)
    }
    var settings = NodeSettings(
      name: name ?? Machine.name, slots: slots,
      endpoint: host.map { Endpoint(host: $0, port: port ?? 0) } ?? .everywhere(port: port ?? 0),
      timeout: .seconds(timeout), drainTimeout: .seconds(drainTimeout))
    settings.listens = !noListen
    settings.lifetime = lifetime.map { .seconds($0) }
    settings.idleTimeout = idleTimeout.map { .seconds($0) }
    var ways: [any Advertiser & Discovery] = noDiscovery ? [] : [DNSSD()]
    let directory = rendezvous.map { Rendezvous($0, isNode: true) }
    do {
      try directory?.check(isWriting: true)
    } catch {
      throw fail(error)
    }
    let dialled = join.flatMap { $0 }
    if let directory { ways.append(directory) }
    let node = Node(
      settings, scans: [SimulatedScan(speed: speed), SourceScan(data: access, cache: cache)],
      transport: Transport(
        try security.transport(
          console, timeout: settings.timeout, holding: MemoryBudget.forServing,
          answersCalls: true, scans: slots)),
      advertisers: ways, discoveries: ways,
      joining: dialled.isEmpty ? nil : NamedPeers(dialled)
    ) { [noListen] name, endpoint in
      let place =
        noListen
        ? "to dial \(dialled.map(\.description).joined(separator: ", "))"
        : "on port \(endpoint.port)"
      console.line("node \(name) ready \(place) with \(slots) slot\(slots == 1 ? "" : "s")")
      console.flush()
      ServiceManager.own?.tell(.ready)
    }
    if let slotsLimit {
      Logger(label: "skynet.node").info(
        "\(slots) slot\(slots == 1 ? "" : "s"), by \(slotsLimit); --slots N sets another number")
    }
    do {
      metrics?.add {
        ImageFigures.data(readBytes: access.readBytes, cache: cache?.figures)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await IdleMemory(node: node, cache: cache).run() }
        try await serve(node, console, metrics)
        group.cancelAll()
      }
    } catch let status as ExitCode {
      throw status
    } catch let error as TransportError where error.code == .cannotListen {
      throw fail("\(error); --port and --host choose where a node listens")
    } catch {
      throw fail(error)
    }
    console.flush()
  }

  /// How many scans run at a time, with what has set the number if the user has not.
  ///
  /// - Throws: `ExitCode`, after the reason was printed, if there is no memory for so many.
  private func chosenSlots() throws -> (count: Int, limit: String?) {
    do {
      guard let slots else {
        let defaults = Machine.defaultSlots
        let fitting = try MemoryShortage.fittingSlots(upTo: defaults.count)
        return (fitting.count, fitting.limit ?? defaults.limit)
      }
      try MemoryShortage.checkSlots(slots)
      return (slots, nil)
    } catch {
      throw fail(error)
    }
  }

  private func serve(_ node: Node, _ console: Console, _ metrics: MetricsServer?) async throws {
    guard let metrics else { return try await serveWithPage(node, console) }
    metrics.add {
      guard let status = node.system.servingStatus else { return [] }
      return ClusterFigures.node(
        status, condition: node.condition, clients: node.clientCount)
    }
    try await metrics.serve(console) {
      Health(
        node.condition.rawValue, takesWork: node.condition == .ready, drainedBy: node.drainedBy)
    } while: {
      try await serveWithPage(node, console)
    }
  }

  private func serveWithPage(_ node: Node, _ console: Console) async throws {
    let watcher = NodeWatcher(node, words: .images)
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
    // The node may leave by itself, which is no failure.
    var running = [
      ServiceGroupConfiguration.ServiceConfiguration(
        service: node, successTerminationBehavior: .gracefullyShutdownGroup)
    ]
    if let manager = ServiceManager.own {
      running.append(.init(service: ServiceReports(node, to: manager)))
    }
    let services = ServiceGroup(
      configuration: .init(
        services: running, logger: Logger(label: "skynet.service") { _ in SwiftLogNoOpLogHandler() }
      ))
    Signals.trap()
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { await console.run() }
      group.addTask { await show(node, console) }
      group.addTask {
        await Signals.watch { _, _ in false }
        await services.triggerGracefulShutdown()
      }
      try await services.run()
      group.cancelAll()
    }
  }

  /// Shows the node's scans on a terminal, until cancelled.
  private func show(_ node: Node, _ console: Console) async {
    let frame = Atomic(0)
    await console.showPanel(every: .milliseconds(200)) { window in
      guard let status = node.system.servingStatus else { return [] }
      let view = NodeView(
        status: status, clients: node.clients, engagements: node.engagements,
        frame: frame.add(1, ordering: .relaxed).oldValue, words: .images)
      return view.lines(columns: window.columns).map { StyledText($0) }
    }
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
