import Foundation
import SkyDetection
package import SkyNetCore

/// A job of so many simulated sectors; each one's result is its number as text.
package struct SimulatedJob: Job {
  package typealias Work = SimulatedScan

  package let settings: SimulatedScan.Settings
  package let sectorCount: Int
  /// The same for every sector, and in memory once.
  private let pixels: Pixels?

  /// - Parameters:
  ///   - sectorCount: how many sectors; 0 or more, or the program stops.
  ///   - settings: of a sector's bytes there are 0 or more, or the program stops.
  package init(sectorCount: Int, settings: SimulatedScan.Settings = .init()) {
    precondition(sectorCount >= 0, "a job has \(sectorCount) sectors, must be 0 or more")
    let bytes = settings.sectorBytes
    precondition(bytes >= 0, "a sector has \(bytes) bytes, must be 0 or more")
    self.sectorCount = sectorCount
    self.settings = settings
    // Not zeros: memory that was never written is one page for all, and quicker to read than pixels.
    pixels = bytes > 0 ? Pixels(Data(repeating: 0x53, count: bytes)) : nil
  }

  /// How long a scan takes, what it carries, and which fail, does not change what comes out.
  package func identity() -> JobIdentity {
    JobIdentity([
      .init("scan", "\(SimulatedScan.kind)"), .init("sectors", "\(sectorCount)"),
    ])
  }

  package func sector(for task: TaskID) -> SimulatedScan.Sector {
    SimulatedScan.Sector(task.sector, pixels: pixels)
  }

  package func outputLimit(for task: TaskID) -> OutputLimit { OutputLimit(json: 4096, bulk: 0) }

  /// A sector's output is its number as text.
  ///
  /// - Throws: ``InvalidScan``.
  package func check(_ output: String, for task: TaskID) throws {
    guard output == String(task.sector) else {
      throw InvalidScan("\"\(output.prefix(40))\" is not sector \(task.sector)'s number")
    }
  }

  package mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
