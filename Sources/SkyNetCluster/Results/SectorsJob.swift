package import SkyNetCore

/// A job with the value that scans on this program's own system, and that tells the time limits, in place of the one
/// that the cluster was joined with.
protocol JobWithScan: Job {
  var scan: Work { get }
}

/// A job of one pass over sectors that are given, or made on demand. A sector's result is its scan's output.
package struct SectorsJob<Work: Scan>: JobWithScan {
  let scan: Work
  package let settings: Work.Settings
  package let sectorCount: Int
  /// Whether sectors are only looked up.
  package let isLight: Bool
  private let makeSector: @Sendable (Int) async throws -> Work.Sector

  package init<Sectors: RandomAccessCollection & Sendable>(
    _ scan: Work, for sectors: Sectors, settings: Work.Settings
  ) where Sectors.Element == Work.Sector {
    self.init(scan, settings: settings, sectorCount: sectors.count, isLight: true) {
      sectors[sectors.index(sectors.startIndex, offsetBy: $0)]
    }
  }

  package init(
    _ scan: Work, count: Int, settings: Work.Settings,
    _ makeSector: @escaping @Sendable (Int) async throws -> Work.Sector
  ) {
    self.init(scan, settings: settings, sectorCount: count, isLight: false, makeSector)
  }

  private init(
    _ scan: Work, settings: Work.Settings, sectorCount: Int, isLight: Bool,
    _ makeSector: @escaping @Sendable (Int) async throws -> Work.Sector
  ) {
    self.scan = scan
    self.settings = settings
    self.sectorCount = sectorCount
    self.isLight = isLight
    self.makeSector = makeSector
  }

  package func sector(for task: TaskID) async throws -> Work.Sector {
    try await makeSector(task.sector)
  }

  package func receive(_ output: Work.Output, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
