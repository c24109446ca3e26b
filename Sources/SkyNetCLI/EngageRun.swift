import ArgumentParser
import Logging
import SkyFITS
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetHTTP
import SkyNetJournal
import SkyNetKit
import SkyNetMetrics
import SkyNetTransport
import SkyNetWeb
import SkyScan

/// One engagement, from the command line's options to the exit status.
struct EngageRun {
  private let options: RunOptions
  private let workload: any Workload.Type
  private let console = Console.standardError
  private let transport: TCPTransport
  private let discoveries: [any Discovery]
  /// Where nodes may dial this engagement, if they may.
  private let listener: NodeListener?
  private let metrics: MetricsServer?
  private let stop = StopRequest()
  /// The run's page, if there is one.
  private let page: RunPage?

  /// Checks the options before any file is opened, so that a run that is refused does not truncate
  /// the results of an earlier one.
  ///
  /// - Throws: `ExitCode` if the key or the certificates, the directory of `--rendezvous` or the address of
  ///   `--listen` cannot be used.
  init(
    _ options: RunOptions, of workload: any Workload.Type, _ page: RunPage? = nil
  ) async throws {
    self.options = options
    self.workload = workload
    self.page = page
    transport = try options.security.transport(
      console, timeout: .seconds(options.failures.timeout), scans: options.systems.localSlots)
    discoveries = try options.peers.discoveries()
    do {
      if let place = options.systems.listen?.endpoint {
        let listener = try await Transport(transport).listen(on: place)
        let port = listener.endpoint.port
        console.line(
          "listening for nodes on "
            + (place.isEverywhere ? "port \(port)" : "\(listener.endpoint)")
            + ": skynet node --join "
            + (place.isEverywhere ? "\(Machine.name):\(port)" : "\(listener.endpoint)"))
        if let address = listener.address, address != place.host,
          Endpoint(host: address, port: port).isLoopback
        {
          console.line(
            "\(place.host) is \(address) here, which nodes on other machines do not reach",
            level: .warning)
        }
        self.listener = listener
      } else {
        listener = nil
      }
      // Before the cluster is joined, which counts for what is set by then.
      metrics = try options.observing.server()
    } catch {
      throw fail(error)
    }
  }

  /// Runs a job.
  ///
  /// - Throws: `ExitCode` unless every sector was scanned.
  func run<J: Job>(_ job: J, _ hooks: RunHooks<J> = RunHooks()) async throws {
    guard let metrics else { return try await runWithPage(job, hooks) }
    do {
      // Before any file is opened: a run that is refused leaves the results of an earlier one.
      try await metrics.serve(console) { [stop] in
        stop.status == nil ? .ready : .draining
      } while: {
        try await runWithPage(job, hooks)
      }
    } catch let error as WebServerError {
      throw fail(error)
    }
  }

  private func runWithPage<J: Job>(_ job: J, _ hooks: RunHooks<J>) async throws {
    guard let page else { return try await runWithJournal(job, hooks) }
    try await page.serve(
      name: options.systems.name ?? Machine.name, journal: options.recording.journal, console
    ) { try await runWithJournal(job, hooks) }
  }

  private func runWithJournal<J: Job>(_ job: J, _ hooks: RunHooks<J>) async throws {
    let journal = try await openJournal(for: job, hooks.inputs)
    do {
      do {
        try await hooks.prepare(journal)
      } catch {
        throw fail(error)
      }
      try await runAndSummarize(job, journal, hooks)
    } catch {
      await close(journal, hooks.inputs)
      throw error
    }
    await close(journal, hooks.inputs)
  }

  /// - Parameter inputs: the files that all results in the journal depend on. If one of them has changed, the next
  ///   process finds that this one did not verify them.
  private func close(_ journal: SQLiteJournal?, _ inputs: [OpenedFile]) async {
    guard let journal else { return }
    // Without a word, as it may cost another scan, and no result.
    if !inputs.isEmpty, !inputs.contains(where: \.hasChanged) { try? await journal.verify() }
    await journal.close()
  }

  private func openJournal<J: Job>(
    for job: J, _ inputs: [OpenedFile]
  ) async throws -> SQLiteJournal? {
    guard let file = options.recording.journal else { return nil }
    let journal: SQLiteJournal
    do {
      journal = try await SQLiteJournal.open(
        file, for: try await job.identity(),
        sectors: job is any GrowableJob ? nil : job.sectorCount,
        retryFailed: options.recording.retryFailed,
        setup: try RunSetup(of: job, workload: workload.name, inputs),
        isReliable: { $0.allSatisfy(\.isUnchanged) })
    } catch {
      throw fail(error)
    }
    if journal.progress.isForgotten {
      console.line(
        "the results in \(file) are forgotten: a file that they depend on was changed while they were made, or "
          + "since, and they may be of two versions of it",
        level: .warning)
    }
    if journal.progress.isResumed, !options.results.quiet {
      console.line(ResumeLine.text(journal.progress, in: file))
    }
    return journal
  }

  private func runAndSummarize<J: Job>(
    _ job: J, _ journal: SQLiteJournal?, _ hooks: RunHooks<J>
  ) async throws {
    let outputs: RunOutputs
    do {
      outputs = try RunOutputs(options.results, words: workload.words)
    } catch {
      throw fail(error)
    }
    let latency = options.results.latency ? LatencyRecord(clock: SteadyClock()) : nil
    let ended: (job: J, tally: Tally)
    do {
      ended = try await hooks.engage(shutdown: stop.shutdown) { [observe = hooks.observe] in
        try await engage(job, journal, outputs, hooks) { update in
          latency?.add(update.event)
          observe(update)
        }
      }
    } catch {
      let wasStopped = stop.hasEnded(by: error)
      outputs.abandoned(for: wasStopped ? "stopped" : "\(error)")
      page?.feed.abandoned(for: wasStopped ? "stopped" : "\(error)")
      let lost = lostLines(outputs)
      await hooks.aborted(wasStopped)
      if wasStopped, let changed = hooks.inputs.first(where: \.hasChanged) {
        console.line("\(ChangedFile(path: changed.path))", level: .warning)
      }
      guard wasStopped, let status = stop.status else { throw fail(error) }
      if let lost { throw fail(lost) }
      console.flush()
      throw status
    }
    // A run without work has ended too. One that was stopped before it had any replaces nothing.
    if stop.status == nil { outputs.begin() }
    let lost = lostLines(outputs)
    let written: FinalLines
    do {
      try hooks.inputs.checkUnchanged()
      // The catalogue is written even if result lines were lost: it is complete, and may have taken
      // hours.
      written = try await hooks.finish(ended.job, ended.tally)
    } catch {
      if let lost { console.line("\(lost)", level: .error) }
      throw fail(error)
    }
    if let lost { throw fail(lost) }
    let recorded = options.recording.journal.map { [WrittenLine.journal($0, ended.tally)] } ?? []
    let isQuiet = options.results.quiet
    let lines =
      (isQuiet ? [] : outputs.written(ended.tally) + written.usual) + written.summary
      + (isQuiet ? [] : recorded)
    for line in lines { console.line(line) }
    if page?.isKept == true, stop.status == nil { console.line("the page stays up until Ctrl-C") }
    if let latency = latency?.text { console.line(latency) }
    console.line(SummaryLine.text(ended.tally))
    console.flush()
    if let status = stop.status { throw status }
    if ended.tally.failed > 0 || hooks.hasFailed() { throw ExitCode.sectorsFailed }
  }

  /// Writes the remaining result lines, and returns the error if some could not be written.
  private func lostLines(_ outputs: RunOutputs) -> OutputError? {
    do {
      let lostEvents = try outputs.finish()
      if lostEvents > 0 {
        console.line(
          "\(lostEvents) events were lost: the reader of --events did not keep up, or has left")
      }
      return nil
    } catch {
      return error
    }
  }

  private func engage<J: Job>(
    _ job: J, _ journal: SQLiteJournal?, _ outputs: RunOutputs, _ hooks: RunHooks<J>,
    _ observe: @Sendable @escaping (EngagementUpdate) -> Void
  ) async throws -> (job: J, tally: Tally) {
    let progress = EngageProgress(
      words: workload.words, weights: job.passes.map(\.weight),
      localSlots: options.systems.localSlots,
      scanTimeout: options.failures.settings.scanTimeout, stopLimit: hooks.stopLimit,
      console: console, readers: outputs.readers, isQuiet: options.results.quiet,
      clock: SteadyClock())
    return try await withThrowingTaskGroup(of: (job: J, tally: Tally)?.self) { group in
      group.addTask {
        await progress.run()
        return nil
      }
      group.addTask {
        await outputs.run()
        return nil
      }
      if let page, journal?.progress.isResumed == true {
        group.addTask {
          await page.completePicture()
          return nil
        }
      }
      group.addTask { [stop, page, stopLimit = hooks.stopLimit] in
        let end = await stop.watch(limit: stopLimit) { signal in
          progress.stops(at: signal)
          page?.feed.stops()
        }
        if end == .limit { progress.stopped() }
        throw CancellationError()
      }
      group.addTask { [hasWork = hooks.hasWork] in
        let waitFor = journal?.progress.isComplete ?? false ? 0 : options.systems.waitFor
        let run = journal?.run ?? RunID()
        return try await inCluster(job, run) { coordinator in
          if waitFor > 0, try await hasWork() {
            try await wait(for: waitFor, coordinator, progress)
          }
          // A signal that came before the run has nothing to wait for.
          if stop.status != nil { throw CancellationError() }
          return try await coordinator.run(
            job, journal: journal.map(Journal.init), id: run, shutdown: stop.shutdown
          ) {
            update in
            page?.feed.apply(update)
            progress.show(update)
            observe(update)
            // If the results or the events cannot be written any more, the run shuts down.
            if !outputs.write(update) { stop.shutdown.shutDown() }
            // A hand-out is no result, and prints no line.
            if case .handedOut = update.event { return await outputs.waitForRoomForEvents() }
            await outputs.waitForRoom()
            await console.waitForRoom()
          }
        }
      }
      defer { group.cancelAll() }
      while let result = try await group.next() {
        if let result { return result }
      }
      throw CancellationError()
    }
  }

  /// Waits until this many systems are connected.
  ///
  /// - Throws: `EngagementError`; `CancellationError` at a signal.
  private func wait(
    for wanted: Int, _ coordinator: Coordinator, _ progress: EngageProgress
  ) async throws {
    guard wanted > 0 else { return }
    let timeout =
      options.systems.waitTimeout.map { .seconds($0) }
      ?? options.failures.settings.firstSystemTimeout
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

  private func inCluster<J: Job>(
    _ job: J, _ run: RunID,
    _ body: @Sendable @escaping (Coordinator) async throws -> (job: J, tally: Tally)
  ) async throws -> (job: J, tally: Tally) {
    let systems = options.systems
    var settings = ClusterSettings(
      name: systems.name ?? Machine.name,
      localSlots: systems.localSlots,
      timeout: .seconds(options.failures.timeout))
    settings.yieldsToNodesHere = systems.yieldsToNodesHere
    let engagement = options.failures.settings
    var logger = Logger(label: "skynet.cluster")
    logger[metadataKey: "run"] = "\(run)"
    return try await Cluster.with(
      settings, scans: workload.scans, discoveries: discoveries,
      transport: Transport(transport), listener: listener, logger: logger
    ) { cluster in
      measure(cluster)
      return try await body(cluster.coordinator(engagement))
    }
  }

  private func measure(_ cluster: Cluster) {
    metrics?.add {
      let summaries = cluster.engagementSummaries
      return ClusterFigures.engagements(
        summaries, loads: cluster.loads, peers: cluster.peerCount)
        + ImageFigures.images(summaries) + (cluster.ownStatus.map(ClusterFigures.slots) ?? [])
    }
  }
}
