public import SkyNetCore

extension Cluster {
  /// Scans sectors on all systems, and gives each one's outcome as it ends.
  ///
  /// ```swift
  /// for try await sector in cluster.results(of: Primes(), for: ranges) {
  ///   print(sector.number, try sector.output.get())
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scan: one of those that the cluster was joined with.
  ///   - sectors: what is scanned; they are numbered from 0 in their order.
  ///   - settings: what holds for each of them.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  ///   - journal: what an earlier process did, and where this one's work is recorded; its outcomes
  ///     come first.
  public func results<Work: Scan, Sectors: RandomAccessCollection & Sendable>(
    of scan: Work, for sectors: Sectors, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings(), journal: Journal? = nil
  ) -> SectorResults<Work.Output> where Sectors.Element == Work.Sector {
    results(
      of: scan, count: sectors.count, settings: settings, engagement: engagement, journal: journal
    ) { sectors[sectors.index(sectors.startIndex, offsetBy: $0)] }
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

  /// The same, for sectors that are not all in memory.
  ///
  /// - Parameter sector: makes the sector of a number, anew for each attempt, also on several threads at once.
  ///   What it throws fails the attempt.
  public func results<Work: Scan>(
    of scan: Work, count: Int, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings(), journal: Journal? = nil,
    sector: @escaping @Sendable (Int) async throws -> Work.Sector
  ) -> SectorResults<Work.Output> {
    let job = SectorsJob<Work>(settings: settings, sectorCount: count, makeSector: sector)
    let coordinator = coordinator(engagement)
    return SectorResults(engagements: engagements) { shutdown, report in
      try await coordinator.run(
        job, journal: journal, shutdown: shutdown, report: report
      ).tally
    }
  }
}
