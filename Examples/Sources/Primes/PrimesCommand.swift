import ArgumentParser
import Foundation
import SkyNetCommand
import SkyNetCore

@main struct Main: SkyNetProgram { static let workloads: [any Workload.Type] = [CountPrimes.self] }

/// `primes engage --up-to N`
struct CountPrimes: Workload {
  static let name = "primes"
  static var scans: [any Scan] { [Primes()] }
  @Option(help: "Count the primes below this number.") var upTo = 10_000_000
  func validate() throws { if upTo < 1 { throw ValidationError("--up-to has to be 1 or more") } }

  func prepare(_ options: RunOptions) -> any WorkloadRun {
    JobRun(PrimesJob(settings: upTo)) { ["\($0.count) primes below \($0.settings.formatted())"] }
  }

  static func job(of task: RecordedTask) throws -> (any Job)? {
    PrimesJob(settings: try task.settings(as: Int.self))
  }
}

/// All numbers below a limit, which is the settings of all scans.
struct PrimesJob: Job {
  typealias Work = Primes
  let settings: Int
  var count = 0
  var sectorCount: Int { (settings - 1) / 100_000 + 1 }

  func sector(for task: TaskID) -> Int { task.sector * 100_000 }

  mutating func receive(_ output: UInt32, for task: TaskID) -> ReceivedResult {
    count += Int(output)
    return ReceivedResult(result: output)
  }
}
