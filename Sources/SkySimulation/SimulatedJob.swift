import Foundation
package import SkyNetCore

/// A job of simulated sectors. The result of each sector is its number as text.
package struct SimulatedJob: Job {
  package typealias Work = SimulatedScan

  package let settings: SimulatedScan.Settings
  package let sectorCount: Int
  /// The pixels, which all sectors share.
  private let pixels: BulkBytes?

  /// - Parameters:
  ///   - sectorCount: the number of sectors; it must be 0 or more.
  ///   - settings: the settings of the scan; their number of bytes must be 0 or more.
  package init(sectorCount: Int, settings: SimulatedScan.Settings = .init()) {
    precondition(sectorCount >= 0, "a job has \(sectorCount) sectors, must be 0 or more")
    let bytes = settings.sectorBytes
    precondition(bytes >= 0, "a sector has \(bytes) bytes, must be 0 or more")
    self.sectorCount = sectorCount
    self.settings = settings
    // The bytes are not zero: memory that was never written is a single page, which is faster to
    // read than pixels.
    pixels = bytes > 0 ? BulkBytes(Data(repeating: 0x53, count: bytes)) : nil
  }

  package var name: String { "simulated sky" }

  package var isLight: Bool { true }

  /// The facts that the result depends on. Durations, pixels and failures are not among them.
  package func identity() -> JobIdentity {
    JobIdentity([
      .init("scan", "\(SimulatedScan.kind)"), .init("sectors", "\(sectorCount)"),
    ])
  }

  package func sector(for task: TaskID) -> SimulatedScan.Sector {
    SimulatedScan.Sector(task.sector, pixels: pixels)
  }

  package func outputLimit(for task: TaskID) -> OutputLimit { OutputLimit(json: 4096, bulk: 0) }

  /// Checks that the output is the sector's number as text.
  ///
  /// - Throws: ``InvalidSimulation`` if it is not.
  package func check(_ output: String, for task: TaskID) throws {
    guard output == String(task.sector) else {
      throw InvalidSimulation("\"\(output.prefix(40))\" is not sector \(task.sector)'s number")
    }
  }

  package mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
