import SkyNetCore

import struct Foundation.Data

/// A job whose second pass needs the sum of all outputs of the first pass.
struct TwoPassJob: Job {
  typealias Work = SumScan

  let settings = SumScan.Settings(factor: 1, label: "pass")
  let sectorCount: Int
  /// The sum over all sectors, from the first pass.
  private(set) var total = 0
  private(set) var second: [Int: Int] = [:]
  private var received = 0
  /// The number of a sector that the job cannot make.
  private let missing: Int?

  init(sectorCount: Int, missing: Int? = nil) {
    self.sectorCount = sectorCount
    self.missing = missing
  }

  private struct Missing: Error {}

  func sector(for task: TaskID) throws -> SumScan.Sector {
    guard task.sector != missing else { throw Missing() }
    guard task.pass == 1 else { return SumScan.sector(task.sector, bytes: task.sector + 1) }
    return SumScan.Sector(
      number: task.sector, pixels: BulkBytes(Data([UInt8(total)])), mask: BulkBytes(Data([0xFF])))
  }

  mutating func receive(_ output: SumScan.Output, for task: TaskID) -> ReceivedResult {
    guard task.pass == 0 else {
      second[task.sector] = output.sum
      return ReceivedResult(result: output)
    }
    received += 1
    total += output.sum
    guard received == sectorCount else { return ReceivedResult(result: nil) }
    return ReceivedResult(result: nil, added: [TaskRange(pass: 1, sectors: 0..<sectorCount)])
  }
}
