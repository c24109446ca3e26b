import Foundation
public import SkyNetCluster
public import SkyNetCore

extension Cluster {
  /// Scans sectors on all systems, and yields the outcome of each sector when it ends. A journal keeps the outcomes:
  /// those of earlier processes come first, and only the other sectors are scanned.
  ///
  /// ```swift
  /// for try await sector in cluster.results(of: Primes(), for: ranges, journal: "primes.sqlite") {
  ///   print(sector.number, try sector.output.get())
  /// }
  /// ```
  ///
  /// The journal is of this scan, these settings and these sectors alone. With others its file is refused, and stays as
  /// it is. Sectors are the same if they are coded the same: a set among them is not, since the order of its elements
  /// differs from process to process.
  ///
  /// The iteration opens the journal when it begins, and closes it when it ends, however it does. It throws
  /// ``JournalError`` if the file cannot be used.
  ///
  /// - Parameters:
  ///   - scan: a scan of a kind that the cluster was joined with, as for the method without a journal.
  ///   - sectors: the sectors to scan, numbered from 0 in their order.
  ///   - settings: the scan's settings, which are the same for all sectors.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  ///   - path: the journal's file, which is made if there is none; see ``Journal/open(_:for:sectors:retryFailed:)``.
  ///   - retryFailed: whether sectors that failed in earlier processes are tried again.
  public func results<Work: Scan, Sectors: RandomAccessCollection & Sendable>(
    of scan: Work, for sectors: Sectors, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings(), journal path: String,
    retryFailed: Bool = false
  ) -> SectorResults<Work.Output> where Sectors.Element == Work.Sector {
    results(
      of: SectorsJob(scan, for: sectors, settings: settings), engagement, path, retryFailed
    ) {
      try InputsDigest.text(of: sectors)
    }
  }

  /// The same, for a scan without settings.
  public func results<Work: Scan, Sectors: RandomAccessCollection & Sendable>(
    of scan: Work, for sectors: Sectors, engagement: EngagementSettings = EngagementSettings(),
    journal path: String, retryFailed: Bool = false
  ) -> SectorResults<Work.Output>
  where Sectors.Element == Work.Sector, Work.Settings == NoSettings {
    results(
      of: scan, for: sectors, settings: NoSettings(), engagement: engagement, journal: path,
      retryFailed: retryFailed)
  }

  /// Scans sectors that are not all in memory on all systems, and yields the outcome of each sector when it
  /// ends, with a journal.
  ///
  /// - Parameters:
  ///   - scan: a scan of a kind that the cluster was joined with, as for the method without a journal.
  ///   - count: how many sectors there are, numbered from 0.
  ///   - settings: the scan's settings, which are the same for all sectors.
  ///   - engagement: how often a sector is tried, and how long a scan may take.
  ///   - path: the journal's file, which is made if there is none; see ``Journal/open(_:for:sectors:retryFailed:)``.
  ///   - inputs: what tells these sectors from others, such as a digest of the file that they are made of. SkyNet does
  ///     not look at the sectors: with the same text the journal's outputs count as theirs.
  ///   - retryFailed: whether sectors that failed in earlier processes are tried again.
  ///   - sector: makes the sector of a number. It is called for each attempt, also on several threads at once.
  ///     If it throws, the attempt fails.
  public func results<Work: Scan>(
    of scan: Work, count: Int, settings: Work.Settings,
    engagement: EngagementSettings = EngagementSettings(), journal path: String, inputs: String,
    retryFailed: Bool = false, sector: @escaping @Sendable (Int) async throws -> Work.Sector
  ) -> SectorResults<Work.Output> {
    results(
      of: SectorsJob(scan, count: count, settings: settings, sector), engagement, path, retryFailed
    ) { inputs }
  }

  /// - Parameter inputs: makes the text that tells the sectors from others.
  private func results<Work: Scan>(
    of job: SectorsJob<Work>, _ engagement: EngagementSettings, _ path: String, _ retryFailed: Bool,
    inputs: @escaping @Sendable () throws -> String
  ) -> SectorResults<Work.Output> {
    // Two loops with one file know each other.
    let file = URL(filePath: path).standardizedFileURL.path
    return results(
      of: job, engagement,
      journal: (
        file,
        { job in
          var identity = try await job.identity()
          identity.facts.append(JobIdentity.Fact("inputs", try inputs()))
          return try await Journal.open(
            path, for: identity, sectors: job.sectorCount, retryFailed: retryFailed)
        }
      ))
  }
}
