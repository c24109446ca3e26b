public import SkyNetCore

/// A job of so many simulated sectors; each one's result is its number as text.
public struct SimulatedJob: Job {
  public let scan: SimulatedScan
  public let settings: SimulatedScan.Settings
  public let sectorCount: Int

  /// - Parameters:
  ///   - sectorCount: how many sectors; 0 or more, or the program stops.
  ///   - scan: the scan as the local system runs it.
  public init(
    sectorCount: Int, settings: SimulatedScan.Settings = .init(), scan: SimulatedScan = .init()
  ) {
    precondition(sectorCount >= 0, "a job has \(sectorCount) sectors, must be 0 or more")
    self.sectorCount = sectorCount
    self.settings = settings
    self.scan = scan
  }

  /// How long a scan takes, and which fail, does not change what comes out.
  public func identity() -> JobIdentity {
    JobIdentity([
      .init("scan", "\(SimulatedScan.kind)"), .init("sectors", "\(sectorCount)"),
    ])
  }

  public func sector(for task: TaskID) -> SimulatedScan.Sector {
    task.sector
  }

  public mutating func receive(_ output: String, for task: TaskID) -> Reception {
    Reception(result: output)
  }
}
