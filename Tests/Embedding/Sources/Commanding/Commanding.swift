import ArgumentParser
import SkyNetCommand
import SkyNetCore

/// A program that has the whole command for a scan of its own.
@main
struct Commanding: SkyNetProgram {
  static let workloads: [any Workload.Type] = [Squares.self]
}

struct Square: Scan {
  static let kind = ScanKind(name: "square", version: 1)

  func run(_ number: Int, settings: NoSettings) -> Int { number * number }
}

struct Squares: Workload {
  static let name = "squares"
  static var scans: [any Scan] { [Square()] }

  @Option var count = 10

  func prepare(_ options: RunOptions) -> any WorkloadRun {
    JobRun(SumOfSquares(sectorCount: count)) { ["the sum is \($0.sum)"] }
  }
}

struct SumOfSquares: Job {
  typealias Work = Square

  let settings = NoSettings()
  let sectorCount: Int
  var sum = 0

  init(sectorCount: Int) { self.sectorCount = sectorCount }

  func sector(for task: TaskID) -> Int { task.sector }

  mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
    sum += output
    return ReceivedResult(result: output)
  }
}
