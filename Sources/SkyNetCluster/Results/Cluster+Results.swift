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

  /// Scans sectors on all systems with a scan without settings, and yields the outcome of each sector when it
  /// ends.
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
  ///   - scan: one of the scans that the cluster was joined with.
  ///   - count: how many sectors there are, numbered from 0.
  ///   - settings: the scan's settings, which are the same for all sectors.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  ///   - journal: holds the work of earlier processes, whose outcomes come first, and records that of this
  ///     one.
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
