public import SkyNetCore

extension Cluster {
  /// Scans sectors on all systems, and yields the outcome of each sector when it ends.
  ///
  /// ```swift
  /// for try await sector in cluster.results(of: Primes(), for: ranges) {
  ///   print(sector.number, try sector.output.get())
  /// }
  /// ```
  ///
  /// SkyNetJournal has the same with a journal: a later process then goes on where this one ended.
  ///
  /// - Parameters:
  ///   - scan: a scan of a kind that the cluster was joined with. This value scans the sectors that this program's
  ///     own system gets, and tells their time limits. Nodes have values of their own.
  ///   - sectors: the sectors to scan, numbered from 0 in their order.
  ///   - settings: the scan's settings, which are the same for all sectors.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  public func results<Work: Scan, Sectors: RandomAccessCollection & Sendable>(
    of scan: Work, for sectors: Sectors, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings()
  ) -> SectorResults<Work.Output> where Sectors.Element == Work.Sector {
    results(of: SectorsJob(scan, for: sectors, settings: settings), engagement)
  }

  /// The same, for a scan without settings.
  public func results<Work: Scan, Sectors: RandomAccessCollection & Sendable>(
    of scan: Work, for sectors: Sectors, engagement: EngagementSettings = EngagementSettings()
  ) -> SectorResults<Work.Output>
  where Sectors.Element == Work.Sector, Work.Settings == NoSettings {
    results(of: scan, for: sectors, settings: NoSettings(), engagement: engagement)
  }

  /// Scans sectors that are not all in memory on all systems, and yields the outcome of each sector when it
  /// ends.
  ///
  /// - Parameters:
  ///   - scan: a scan of a kind that the cluster was joined with, as for sectors that are in memory.
  ///   - count: how many sectors there are, numbered from 0.
  ///   - settings: the scan's settings, which are the same for all sectors.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  ///   - sector: makes the sector of a number. It is called for each attempt, also on several threads at once.
  ///     If it throws, the attempt fails.
  public func results<Work: Scan>(
    of scan: Work, count: Int, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings(),
    sector: @escaping @Sendable (Int) async throws -> Work.Sector
  ) -> SectorResults<Work.Output> {
    results(of: SectorsJob(scan, count: count, settings: settings, sector), engagement)
  }

  /// Scans the inputs of a sequence on all systems as they come, and yields the outcome of each when it ends.
  ///
  /// An input is taken from the sequence only when the engagement runs low on tasks, so that few are in memory however
  /// many the sequence has: those that are scanned, and about as many that are to be next. An input is forgotten
  /// when its sector has ended. The sequence may be endless.
  ///
  /// The iteration throws the error of the sequence, which ends the engagement. When the loop is left, the task that
  /// iterates over the sequence is cancelled, and the engagement ends when the sequence has noticed that.
  ///
  /// There is no journal for a sequence: its inputs are not known beforehand, and a later process could not tell
  /// whether they are the same.
  ///
  /// - Parameters:
  ///   - scan: a scan of a kind that the cluster was joined with, as for sectors that are in memory.
  ///   - inputs: the sectors to scan, numbered from 0 in the order in which they come. One task iterates over them.
  ///   - settings: the scan's settings, which are the same for all sectors.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  public func results<Work: Scan, Inputs: AsyncSequence & Sendable>(
    of scan: Work, for inputs: Inputs, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings()
  ) -> SectorResults<Work.Output> where Inputs.Element == Work.Sector {
    let coordinator = coordinator(engagement)
    return SectorResults(engagements: engagements, count: nil) { shutdown, report in
      let feed = InputFeed<Work.Sector>()
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await feed.give(inputs) }
        defer { group.cancelAll() }
        let job = InputsJob(scan: scan, settings: settings, feed: feed)
        return try await coordinator.run(job, shutdown: shutdown, report: report).tally
      }
    }
  }

  /// The same, for a scan without settings.
  public func results<Work: Scan, Inputs: AsyncSequence & Sendable>(
    of scan: Work, for inputs: Inputs, engagement: EngagementSettings = EngagementSettings()
  ) -> SectorResults<Work.Output>
  where Inputs.Element == Work.Sector, Work.Settings == NoSettings {
    results(of: scan, for: inputs, settings: NoSettings(), engagement: engagement)
  }

  /// The outcomes of a job's sectors.
  ///
  /// - Parameter journal: the journal's path, and what opens it when an iteration begins. It is closed when the
  ///   iteration ends, however it does.
  package func results<Work: Scan>(
    of job: SectorsJob<Work>, _ engagement: EngagementSettings,
    journal: (path: String, open: @Sendable (SectorsJob<Work>) async throws -> Journal)? = nil
  ) -> SectorResults<Work.Output> {
    let coordinator = coordinator(engagement)
    return SectorResults(
      engagements: engagements, count: job.sectorCount, journal: journal?.path
    ) { shutdown, report in
      // No file is made for a scan that cannot run.
      _ = try coordinator.actorSystem.registry.scan(of: Work.self)
      let journal = try await journal?.open(job)
      let result: Result<Tally, any Error>
      do {
        result = .success(
          try await coordinator.run(
            job, journal: journal, shutdown: shutdown, report: report
          ).tally)
      } catch {
        result = .failure(error)
      }
      await journal?.close()
      return try result.get()
    }
  }
}
