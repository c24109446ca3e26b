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
  static let words = RunWords(part: SumOfSquares.part)
  static var scans: [any Scan] { [Square()] }

  @Option var count = 10

  func prepare(_ options: RunOptions) -> any WorkloadRun {
    JobRun(SumOfSquares(shelves: Shelves(count: count))) { ["the sum is \($0.sum)"] }
  }
}

/// The squares of the numbers from 0, each of which is one shelf.
struct SumOfSquares: GrowableJob {
  typealias Work = Square

  static let part = RunWords.Noun("shelf", "shelves")
  let settings = NoSettings()
  let shelves: Shelves
  var sum = 0

  func nextPart() async -> JobPart? { await shelves.next() }

  func sector(for task: TaskID) -> Int { task.sector }

  mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
    sum += output
    return ReceivedResult(result: output)
  }
}

/// Gives one shelf after the other.
actor Shelves {
  private let count: Int
  private var given = 0

  init(count: Int) { self.count = count }

  func next() -> JobPart? {
    guard given < count else { return nil }
    defer { given += 1 }
    return JobPart(number: given, sectors: given..<given + 1, name: "shelf \(given)")
  }
}
