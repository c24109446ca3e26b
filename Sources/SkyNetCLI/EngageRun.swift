import ArgumentParser
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetJournal
import SkyNetTransport

/// One engagement, from the command line's options to the exit status.
struct EngageRun {
  private let options: EngageCommand
  private let console = Console.standardError
  private let transport: TCPTransport

  /// What it throws comes first: what refuses a run must not have emptied the results of another.
  ///
  /// - Throws: `ExitCode`, if the options' key or certificates cannot be used.
  init(_ options: EngageCommand) throws {
    self.options = options
    transport = try options.systems.security.transport(console)
  }

  /// Runs a job; `observe` sees all that happens. `finish` is given the job and its counts when it
  /// has ended, however many sectors failed; `stopped` is called instead if it was stopped at once.
  ///
  /// - Throws: `ExitCode` unless everything was scanned.
  func run<J: Job>(
    _ job: J, observe: @Sendable @escaping (EngagementEvent) -> Void = { _ in },
    finish: (J, Tally) async throws -> Void = { _, _ in }, stopped: () -> Void = {}
  ) async throws {
    let journal = try await openJournal(for: job)
    do {
      try await run(job, journal, observe, finish, stopped)
    } catch {
      await journal?.close()
      throw error
    }
    await journal?.close()
  }

  private func openJournal<J: Job>(for job: J) async throws -> SQLiteJournal? {
    guard let file = options.journal.file else { return nil }
    let journal: SQLiteJournal
    do {
      journal = try await SQLiteJournal.open(
        file, for: try await job.identity(), sectors: job.sectorCount,
        retryFailed: options.journal.retryFailed)
    } catch {
      throw fail(error)
    }
    if journal.progress.isResumed { console.line(ResumeLine.text(journal.progress, in: file)) }
    return journal
  }

  private func run<J: Job>(
    _ job: J, _ journal: SQLiteJournal?, _ observe: @Sendable @escaping (EngagementEvent) -> Void,
    _ finish: (J, Tally) async throws -> Void, _ stopped: () -> Void
  ) async throws {
    let sink: ResultSink
    do {
      sink = try ResultSink(file: options.results.results, standardOutput: options.results.json)
    } catch {
      throw fail(error)
    }
    let stop = StopRequest()
    let latency = options.results.latency ? LatencyRecord(clock: SteadyClock()) : nil
    do {
      let (job, tally) = try await engage(job, journal, sink, stop) { event in
        latency?.take(event)
        observe(event)
      }
      try sink.finish()
      try await finish(job, tally)
      console.line(SummaryLine.text(tally))
      if let latency = latency?.text { console.line(latency) }
      console.flush()
      if let status = stop.status { throw status }
      if tally.failed > 0 { throw ExitCode.sectorsFailed }
    } catch let status as ExitCode {
      throw status
    } catch {
      try? sink.finish()
      if let status = stop.status {
        stopped()
        console.flush()
        throw status
      }
      throw fail(error)
    }
  }

  private func engage<J: Job>(
    _ job: J, _ journal: SQLiteJournal?, _ sink: ResultSink, _ stop: StopRequest,
    _ observe: @Sendable @escaping (EngagementEvent) -> Void
  ) async throws -> (job: J, tally: Tally) {
    let progress = EngageProgress(
      total: job.sectorCount, console: console, resultsAreShown: sink.isOnTerminal,
      clock: SteadyClock())
    return try await withThrowingTaskGroup(of: (job: J, tally: Tally)?.self) { group in
      group.addTask {
        await progress.run()
        return nil
      }
      group.addTask {
        await sink.run()
        return nil
      }
      group.addTask {
        await stop.watch()
        throw CancellationError()
      }
      group.addTask {
        let waitFor = journal?.progress.isComplete ?? false ? 0 : options.systems.waitFor
        return try await inCluster(job, waitFor: waitFor) { coordinator in
          try await coordinator.run(job, journal: journal, interruption: stop.interruption) {
            event, tally in
            progress.take(event, tally)
            observe(event)
            // Results that nobody gets to see are not worth going on for.
            if !sink.take(event) { stop.interruption.interrupt() }
            // Only what ended makes lines.
            if case .handedOut = event { return }
            await sink.room()
            await console.room()
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

  private func inCluster<J: Job>(
    _ job: J, waitFor: Int,
    _ body: @Sendable @escaping (Coordinator) async throws -> (job: J, tally: Tally)
  ) async throws -> (job: J, tally: Tally) {
    let systems = options.systems
    let settings = ClusterSettings(
      name: systems.name ?? Defaults.hostName,
      localSlots: systems.localSlots,
      timeout: .seconds(options.patience.timeout))
    let patience = options.patience.settings
    return try await Cluster.with(
      settings, scans: [job.scan], discoveries: systems.peers.discoveries, transport: transport
    ) { cluster in
      let coordinator = cluster.coordinator(patience)
      if waitFor > 0 {
        try await coordinator.waitForSystems(waitFor, timeout: patience.firstSystemTimeout)
      }
      return try await body(coordinator)
    }
  }
}
