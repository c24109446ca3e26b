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
  /// - Parameters:
  ///   - scan: one of the scans that the cluster was joined with.
  ///   - sectors: the sectors to scan, numbered from 0 in their order.
  ///   - settings: the scan's settings, which are the same for all sectors.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  ///   - journal: holds the work of earlier processes, whose outcomes come first, and records that of this
  ///     one.
  public func results<Work: Scan, Sectors: RandomAccessCollection & Sendable>(
    of scan: Work, for sectors: Sectors, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings(), journal: Journal? = nil
  ) -> SectorResults<Work.Output> where Sectors.Element == Work.Sector {
    let job = SectorsJob<Work>(settings: settings, sectorCount: sectors.count, isLight: true) {
      sectors[sectors.index(sectors.startIndex, offsetBy: $0)]
    }
    return results(of: job, engagement, journal)
  }

  /// The same, for a scan without settings.
  public func results<Work: Scan, Sectors: RandomAccessCollection & Sendable>(
    of scan: Work, for sectors: Sectors, engagement: EngagementSettings = EngagementSettings(),
    journal: Journal? = nil
  ) -> SectorResults<Work.Output>
  where Sectors.Element == Work.Sector, Work.Settings == NoSettings {
    results(
      of: scan, for: sectors, settings: NoSettings(), engagement: engagement, journal: journal)
  }

  /// Scans sectors that are not all in memory on all systems, and yields the outcome of each sector when it
  /// ends.
  ///
  /// - Parameters:
  ///   - count: how many sectors there are, numbered from 0. The other parameters are those of
  ///     ``results(of:for:settings:engagement:journal:)``.
  ///   - sector: makes the sector of a number. It is called for each attempt, also on several threads at once.
  ///     If it throws, the attempt fails.
  public func results<Work: Scan>(
    of scan: Work, count: Int, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings(), journal: Journal? = nil,
    sector: @escaping @Sendable (Int) async throws -> Work.Sector
  ) -> SectorResults<Work.Output> {
    let job = SectorsJob<Work>(
      settings: settings, sectorCount: count, isLight: false, makeSector: sector)
    return results(of: job, engagement, journal)
  }

  private func results<Work: Scan>(
    of job: SectorsJob<Work>, _ engagement: EngagementSettings, _ journal: Journal?
  ) -> SectorResults<Work.Output> {
    let coordinator = coordinator(engagement)
    return SectorResults(engagements: engagements) { shutdown, report in
      try await coordinator.run(
        job, journal: journal, shutdown: shutdown, report: report
      ).tally
    }
  }
}

/// A job of one pass over sectors that are given, or made on demand. A sector's result is its scan's output.
struct SectorsJob<Work: Scan>: Job {
  let settings: Work.Settings
  let sectorCount: Int
  /// Whether sectors are only looked up.
  let isLight: Bool
  let makeSector: @Sendable (Int) async throws -> Work.Sector

  func sector(for task: TaskID) async throws -> Work.Sector { try await makeSector(task.sector) }

  func receive(_ output: Work.Output, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
