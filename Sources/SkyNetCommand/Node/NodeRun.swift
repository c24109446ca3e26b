import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import SkyFiles
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetKeys
import SkyNetKit
import SkyNetMetrics
import SkyNetTransport
import SkyNetViews
import SkyNetWeb
import Synchronization

/// A node, from the command line's options to the exit status.
struct NodeRun {
  let options: NodeOptions
  let security: SecurityOptions
  let page: PageOptions
  let log: LogFormatOption
  let observing: MetricsOptions

  /// - Parameter offer: makes what the node offers. It is given the node's own files, which no scan may read.
  /// - Throws: `ExitCode`.
  func run(_ offer: (_ files: [String]) throws -> NodeOffer) async throws {
    let level = options.logLevel
    LoggingSystem.bootstrap(
      { ConsoleLog(label: $0, logLevel: level, metadataProvider: $1, showsTime: true) },
      metadataProvider: .skynet)
    log.apply()
    try DescriptorShortage.check(hasDiscovery: !options.noDiscovery)
    let console = Console.standardError
    let (slots, slotsLimit) = try chosenSlots()
    let metrics: MetricsServer?
    let offered: NodeOffer
    do {
      offered = try offer(
        (security.files + observing.files).compactMap(\.path))
      // Before the node is made, which counts for what is set by then.
      metrics = try observing.server()
    } catch {
      throw fail(error)
    }
    var settings = NodeSettings(
      name: options.name ?? Machine.name, slots: slots,
      endpoint: options.endpoint, timeout: .seconds(options.timeout),
      drainTimeout: .seconds(options.drainTimeout))
    settings.listens = !options.noListen
    settings.lifetime = options.lifetime.map { .seconds($0) }
    settings.idleTimeout = options.idleTimeout.map { .seconds($0) }
    let ways = try PeerOptions.ways(
      noDiscovery: options.noDiscovery, rendezvous: options.rendezvous)
    let dialled = options.join.flatMap { $0 }
    let node = Node(
      settings, scans: offered.scans,
      transport: Transport(
        try security.transport(
          console, timeout: settings.timeout, holding: MemoryBudget.forServing,
          scans: slots)),
      advertisers: ways, discoveries: ways,
      joining: dialled.isEmpty ? nil : NamedPeers(dialled)
    ) { [listens = settings.listens] name, endpoint in
      let place =
        listens
        ? "on port \(endpoint.port)"
        : "to dial \(dialled.map(\.description).joined(separator: ", "))"
      console.line("node \(name) ready \(place) with \(slots) slot\(slots == 1 ? "" : "s")")
      console.flush()
      ServiceManager.own?.tell(.ready)
    }
    // A program that a node runs could read it there.
    KeySource.clearEnvironment()
    AccountDoor.own.open(as: node.incarnation.uuid)
    defer { AccountDoor.own.close() }
    if let slotsLimit {
      Logger(label: "skynet.node").info(
        "\(slots) slot\(slots == 1 ? "" : "s"), by \(slotsLimit); --slots N sets another number")
    }
    do {
      metrics?.add(offered.figures)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await IdleMemory(node: node, offer: offered).run() }
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
      guard let slots = options.slots else {
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
      guard let status = await node.system.servingStatus else { return [] }
      return ClusterFigures.node(
        status, condition: await node.condition, clients: await node.clientCount)
    }
    try await metrics.serve(console) {
      let condition = await node.condition
      return Health(
        condition.rawValue, takesWork: condition == .ready, drainedBy: await node.drainedBy)
    } while: {
      try await serveWithPage(node, console)
    }
  }

  private func serveWithPage(_ node: Node, _ console: Console) async throws {
    let watcher = NodeWatcher(node)
    try await page.serve(
      ClusterFeed(kind: "node") { watcher.view }, name: options.name ?? Machine.name, console
    ) { served in
      try await withThrowingTaskGroup(of: Void.self) { group in
        if served != nil { group.addTask { await watcher.run() } }
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

  /// Shows the node and the last lines of its log on a terminal, until cancelled, and then says what it has done.
  private func show(_ node: Node, _ console: Console) async {
    guard console.canRedraw else { return }
    let frame = Atomic(0)
    let log = LogTail()
    console.keepLog(in: log)
    defer { console.keepLog(in: nil) }
    await console.showPanel(every: .milliseconds(200)) { window in
      guard let status = await node.system.servingStatus else { return [] }
      let view = NodeView(
        status: status, clients: await node.clients, engagements: await node.engagements,
        frame: frame.add(1, ordering: .relaxed).oldValue, nearby: await node.nearby,
        log: log.lines)
      // The cursor is on the line below.
      return view.lines(columns: window.columns, rows: max(1, window.rows - 1))
    }
    guard let status = await node.system.servingStatus else { return }
    console.line(NodeView.lastWords(status, columns: console.window.columns))
  }
}
