import Logging
import SkyFiles
import SkyNetCluster
import SkyNetCore
import SkyNetJournal
import SkyNetKit
import SkyNetTransport

extension EngageRun {
  /// Has the systems scan the job.
  func engage<Work: WorkloadRun>(
    _ work: Work, _ journal: SQLiteJournal?, _ progress: EngageProgress,
    _ observers: [any RunObserver]
  ) async throws -> (job: Work.J, tally: Tally) {
    let waitFor = journal?.progress.isComplete ?? false ? 0 : options.systems.waitFor
    let run = journal?.run ?? RunID()
    return try await inCluster(work, run) { coordinator in
      if waitFor > 0, try await work.hasWork() {
        try await wait(for: waitFor, coordinator, progress)
      }
      // A signal that came before the run has nothing to wait for.
      if stop.status != nil { throw CancellationError() }
      return try await coordinator.run(
        work.job, journal: journal.map(Journal.init), id: run, shutdown: stop.shutdown,
        report: { update in
          // Events come by the hundred thousand. An iterator would retain each observer for each of them.
          for index in observers.indices { observers[index].hear(update) }
          for index in observers.indices where observers[index].isBehind {
            await observers[index].catchUp()
          }
        }, abandoned: { _, tally in stop.leftBehind(tally) })
    }
  }

  /// Waits until this many systems are connected.
  ///
  /// - Throws: `EngagementError`; `CancellationError` at a signal.
  private func wait(
    for wanted: Int, _ coordinator: Coordinator, _ progress: EngageProgress
  ) async throws {
    let timeout =
      options.systems.waitTimeout.map { .seconds($0) }
      ?? options.engagement.firstSystemTimeout
    let deadline = SteadyClock().now + timeout
    progress.waits(for: wanted, connected: [], until: deadline)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await coordinator.waitForSystems(wanted, timeout: timeout) { connected in
          progress.waits(for: wanted, connected: connected, until: deadline)
        }
      }
      group.addTask {
        try await stop.shutdown.wait()
        throw CancellationError()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Lets engagements of this account have programs run on the system that this one lends.
  private static func openDoor(of lent: Incarnation) { AccountDoor.own.open(as: lent.uuid) }

  private func inCluster<Work: WorkloadRun>(
    _ work: Work, _ run: RunID,
    _ body: @Sendable @escaping (Coordinator) async throws -> (job: Work.J, tally: Tally)
  ) async throws -> (job: Work.J, tally: Tally) {
    let systems = options.systems
    var settings = ClusterSettings(
      name: systems.name ?? Machine.name,
      localSlots: systems.localSlots,
      timeout: .seconds(options.failures.timeout))
    settings.yieldsToNodesHere = systems.yieldsToNodesHere
    settings.servesOthers = systems.serve
    let scans =
      systems.serve
      ? try Program.workloads.offer(withholding: options.readFiles.compactMap(\.path)).scans
      : workload.scans
    let engagement = options.engagement
    defer { AccountDoor.own.close() }
    var logger = Logger(label: "skynet.cluster")
    logger[metadataKey: "run"] = "\(run)"
    return try await Cluster.with(
      settings, scans: scans, discoveries: discoveries,
      advertisers: systems.serve ? try options.peers.advertisers() : [],
      transport: Transport(transport), listener: listener, logger: logger,
      lending: Self.openDoor
    ) { [console, options] _, endpoint in
      if options.isQuiet { return }
      let slots = "\(systems.localSlots) slot\(systems.localSlots == 1 ? "" : "s")"
      console.line("serving others on port \(endpoint.port) with \(slots)")
    } _: { cluster in
      metrics?.add(cluster) { (work as? any ShownRun)?.figures(of: $0) ?? [] }
      return try await body(cluster.coordinator(engagement))
    }
  }
}

extension SystemOptions {
  /// Listens for nodes that dial this engagement, and says where; `nil` without `--listen`.
  func listener(_ transport: TCPTransport, _ console: Console) async throws -> (any Listener)? {
    guard let place = listen?.endpoint else { return nil }
    let listener = try await transport.listen(on: place)
    let port = listener.endpoint.port
    console.line(
      "listening for nodes on "
        + (place.isEverywhere ? "port \(port)" : "\(listener.endpoint)")
        + ": \(Program.name) node --join "
        + (place.isEverywhere ? "\(Machine.name):\(port)" : "\(listener.endpoint)"))
    if let address = listener.address, address != place.host,
      Endpoint(host: address, port: port).isLoopback
    {
      console.line(
        "\(place.host) is \(address) here, which nodes on other machines do not reach",
        level: .warning)
    }
    return listener
  }
}
