import ArgumentParser
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetJournal
import SkyNetTransport

/// One engagement, from the command line's options to the exit status.
struct EngageRun {
  let options: RunOptions
  let console = Console.standardError
  let stop = StopRequest()
  let workload: any Workload.Type
  let transport: TCPTransport
  let discoveries: [any Discovery]
  /// Where nodes may dial this engagement, if they may.
  let listener: (any Listener)?
  let metrics: RunMetrics?

  /// Checks the options before any output is opened.
  ///
  /// - Throws: `ExitCode` if the key or the certificates or the directory of `--rendezvous` cannot be used; an error with
  ///   the reason if the address of `--listen` or the token of `--metrics-token` cannot be.
  init(_ options: RunOptions, of workload: any Workload.Type) async throws {
    self.options = options
    self.workload = workload
    transport = try options.security.transport(
      console, timeout: .seconds(options.failures.timeout),
      holding: options.systems.serve ? MemoryBudget.forServing : MemoryBudget.forEngaging,
      scans: options.localSlots, isAlone: options.isAlone)
    discoveries = try options.peers.discoveries()
    listener = try await options.systems.listener(transport, console)
    // Before the cluster is joined, which counts for what is set by then.
    metrics = try RunMetrics(options.observing, stop)
  }

  /// Runs a workload's job, and says what has come of it.
  ///
  /// - Throws: ``RunStopped`` if signals stopped the run; `ExitCode` if not everything was scanned; an error with the
  ///   reason if the run was refused or failed.
  func run<Work: WorkloadRun>(_ work: Work) async throws {
    let inputs = work.inputs
    let page =
      (work as? any ShownRun)?.page(options, words: workload.words)
      ?? RunPage(options, of: work.job, words: workload.words)
    // Before any output is opened: a run that is refused leaves the results of an earlier one.
    let missing = MissingNodes(options, console)
    let servers = [page, metrics, missing] as [(any RunSurrounding)?]
    try await servers.compactMap(\.self).during {
      try await withJournal(of: work, inputs) { journal in
        let outputs = try RunOutputs(
          options, words: workload.words, shutdown: stop.shutdown, console)
        let latency = options.results.latency ? LatencyRecord(clock: SteadyClock()) : nil
        let progress = progress(of: work, readers: outputs.readers)
        let observers =
          ([page, progress, latency, outputs, missing] as [(any RunObserver)?]).compactMap(\.self)
          + work.observers
        let engagement = JobEngagement(journal: journal, shutdown: stop.shutdown) {
          let ended = try await progress.during {
            try await untilStopped(work, journal, progress, observers)
          }
          // If an input has changed, no result counts.
          try inputs.checkUnchanged()
          return ended
        }
        let outcome: RunOutcome
        do {
          outcome = try await outputs.during { try await work.complete(engagement) }
        } catch let stopped as RunStopped {
          reportStopped(outputs)
          throw stopped
        }
        let ends =
          outcome.isDetailed
          ? [] : progress.endLines(of: work.job, wasStopped: stop.status != nil)
        page?.ended(
          outcome.tally, wasStopped: stop.status != nil,
          outputs.files.map { ("results", $0) } + ((work as? any ShownRun)?.outputs ?? []))
        try report(outcome, ends, outputs, page, latency, progress)
      }
    }
  }

  private func progress(
    of work: some WorkloadRun, readers: RunOutputs.Readers
  ) -> EngageProgress {
    EngageProgress(
      words: workload.words, weights: work.job.passes.map(\.weight),
      localSlots: options.localSlots,
      scanTimeout: options.failures.settings.scanTimeout, stopLimit: work.stopLimit,
      console: console, readers: readers, isQuiet: options.isQuiet,
      isVerbose: options.results.verbose, clock: SteadyClock())
  }

  /// Engages until the job or the run ends.
  ///
  /// - Throws: ``RunStopped`` if signals or the run's limit ended it.
  private func untilStopped<Work: WorkloadRun>(
    _ work: Work, _ journal: SQLiteJournal?, _ progress: EngageProgress,
    _ observers: [any RunObserver]
  ) async throws -> (job: Work.J, tally: Tally) {
    do {
      return try await withThrowingTaskGroup(of: (job: Work.J, tally: Tally).self) { group in
        group.addTask { [stop] in
          let end = await stop.watch(limit: work.stopLimit) { signal in
            for observer in observers { observer.stops(at: signal) }
          }
          if end == .limit { progress.stopped() }
          throw CancellationError()
        }
        group.addTask { try await engage(work, journal, progress, observers) }
        defer { group.cancelAll() }
        guard let ended = try await group.next() else { throw CancellationError() }
        return ended
      }
    } catch {
      throw stop.ending(error)
    }
  }

  /// Prints what a run has done that was ended at once.
  private func reportStopped(_ outputs: RunOutputs) {
    guard let tally = stop.tally else { return }
    let journal = options.journal.map { [WrittenLine.journal($0, tally)] } ?? []
    for line in options.isQuiet ? [] : outputs.written(tally) + journal { console.line(line) }
    if !options.isSilent { console.line(SummaryLine.text(tally)) }
    console.flush()
  }

  /// Prints the lines at the end.
  ///
  /// - Parameter ends: those about what failed and what was not begun.
  private func report(
    _ outcome: RunOutcome, _ ends: [String], _ outputs: RunOutputs, _ page: RunPage?,
    _ latency: LatencyRecord?, _ progress: EngageProgress
  ) throws {
    let (tally, isQuiet) = (outcome.tally, options.isQuiet)
    let recorded = options.journal.map { [WrittenLine.journal($0, tally)] } ?? []
    let lines =
      (isQuiet ? [] : outputs.written(tally) + outcome.written) + outcome.summary
      + (isQuiet ? [] : recorded + ends)
    for line in lines { console.line(line) }
    if let stay = page?.stay.text { console.line(stay) }
    if let latency = latency?.text { console.line(latency) }
    if !options.isSilent { console.line(SummaryLine.text(tally)) }
    let next =
      options.journal.map { NextStep.report(journal: $0) } ?? .journal(hasPage: options.hasPage)
    for line in progress.lastWords(outcome, wasStopped: stop.status != nil, next: next) {
      console.line(line)
    }
    console.flush()
    if let status = stop.status { throw RunStopped(status: status) }
    if tally.completed < tally.total || outcome.hasFailed { throw ExitCode.sectorsFailed }
  }
}
