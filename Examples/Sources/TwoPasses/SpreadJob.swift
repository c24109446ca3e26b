import SkyNetKit

/// Sums a row of numbers, or the squares of their distances from a mean.
struct Deviations: Scan {
  static let kind = ScanKind(name: "deviations", version: 1)

  struct Sector: Codable, Sendable {
    var numbers: [Double]
    /// The mean that the first pass has found; `nil` in the first pass.
    var mean: Double?
  }

  func run(_ sector: Sector, settings: NoSettings) async throws -> Double {
    guard let mean = sector.mean else { return sector.numbers.reduce(0, +) }
    return sector.numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}

/// The mean and the variance of many numbers. The second pass needs the mean, to which every sector of the
/// first pass contributes, so it begins when the first is complete.
struct SpreadJob: Job {
  typealias Work = Deviations

  let settings = NoSettings()
  let rows: [[Double]]
  private var sum = 0.0
  private var squares = 0.0
  private var summed = 0

  init(rows: [[Double]]) { self.rows = rows }

  var sectorCount: Int { rows.count }
  var count: Double { Double(rows.reduce(0) { $0 + $1.count }) }
  var mean: Double { sum / count }
  var variance: Double { squares / count }

  func sector(for task: TaskID) -> Deviations.Sector {
    Deviations.Sector(numbers: rows[task.sector], mean: task.pass == 0 ? nil : mean)
  }

  mutating func receive(_ output: Double, for task: TaskID) -> ReceivedResult {
    guard task.pass == 0 else {
      squares += output
      return ReceivedResult(result: output)
    }
    sum += output
    summed += 1
    // Without a result the sector continues: in the second pass, which begins when all are summed.
    let isLast = summed == sectorCount
    return ReceivedResult(
      result: nil, added: isLast ? [TaskRange(pass: 1, sectors: 0..<sectorCount)] : [])
  }
}
