import SkyNetCore

import struct Foundation.Data

/// Counts a sector's bright pixels, of one byte each.
struct BrightScan: Scan {
  static let kind = ScanKind(name: "bright", version: 1)

  /// The settings, which are the same for every sector of a job.
  struct Settings: Codable, Sendable {
    var threshold: UInt8
  }

  /// The input of one sector, which is sent to a system.
  struct Sector: Codable, Sendable {
    var pixels: BulkBytes
  }

  /// The output, which the system sends back.
  struct Output: Codable, Sendable {
    var count: Int
  }

  func run(_ sector: Sector, settings: Settings) async throws -> Output {
    var count = 0
    for (index, pixel) in sector.pixels.bytes.enumerated() {
      // A check this often notices a cancellation within 50 ms, and costs little.
      if index.isMultiple(of: 65_536) { try Task.checkCancellation() }
      if pixel > settings.threshold { count += 1 }
    }
    return Output(count: count)
  }
}

/// Counts the bright pixels of an image, a row of it at a time.
struct BrightJob: Job {
  typealias Work = BrightScan

  let settings: BrightScan.Settings
  let rows: [Data]
  /// How many bright pixels the received outputs have counted.
  private(set) var total = 0

  init(rows: [Data], threshold: UInt8) {
    self.rows = rows
    settings = BrightScan.Settings(threshold: threshold)
  }

  var sectorCount: Int { rows.count }

  func sector(for task: TaskID) -> BrightScan.Sector {
    BrightScan.Sector(pixels: BulkBytes(rows[task.sector]))
  }

  func check(_ output: BrightScan.Output, for task: TaskID) throws {
    guard (0...rows[task.sector].count).contains(output.count) else {
      throw ImpossibleCount(count: output.count, pixels: rows[task.sector].count)
    }
  }

  mutating func receive(_ output: BrightScan.Output, for task: TaskID) -> ReceivedResult {
    total += output.count
    return ReceivedResult(result: output.count)
  }
}

/// A system reported a negative count, or more bright pixels than the row has.
struct ImpossibleCount: Error {
  let count: Int
  let pixels: Int
}
