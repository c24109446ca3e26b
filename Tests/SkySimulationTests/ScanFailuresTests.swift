import SkyNetCore
import Testing

@testable import SkySimulation

/// The choice of the attempts that fail.
@Suite("Simulated failures")
struct ScanFailuresTests {
  private func failures(every: Int, seed: UInt64 = 1, _ sector: Int, upTo last: Int) -> [Bool] {
    let failures = ScanFailures(every: every, seed: seed)
    return (1...last).map { failures.fails(sector, ScanAttempt(number: $0)) }
  }

  /// The failures are the same on any machine and in any version. The expected ones were computed
  /// by another program, from the description of `ScanFailures`.
  @Test("The seed decides which attempts fail")
  func seed() {
    let first = (0..<50).filter { failures(every: 10, $0, upTo: 1)[0] }
    #expect(first == [13, 37, 38, 47, 48])
    #expect(failures(every: 10, 13, upTo: 3) == [true, true, false])
    #expect(failures(every: 10, 38, upTo: 2) == [true, false])
  }

  @Test(
    "The requested share of attempts fails, and no sector fails three times in a row",
    arguments: [2, 3, 10, 100])
  func share(every: Int) {
    let attempts = (0..<2000).map { failures(every: every, seed: 7, $0, upTo: 12) }
    for sector in attempts {
      #expect(!(0..<10).contains { sector[$0] && sector[$0 + 1] && sector[$0 + 2] })
    }
    let share = Double(attempts.count { $0[0] }) / 2000
    // The tolerance is five standard deviations.
    let probability = 1 / Double(every)
    #expect(abs(share - probability) < 5 * (probability * (1 - probability) / 2000).squareRoot())
  }

  @Test("With 1 all attempts fail, and with 0 none")
  func extremes() {
    for sector in 0..<20 {
      #expect(failures(every: 1, sector, upTo: 6).allSatisfy { $0 })
      #expect(!failures(every: 0, sector, upTo: 6).contains(true))
    }
  }

  @Test("Another seed makes other sectors fail")
  func otherSeeds() {
    let seeds: [UInt64] = [1, 2, .max]
    let patterns = seeds.map { seed in
      (0..<200).map { failures(every: 10, seed: seed, $0, upTo: 1)[0] }
    }
    #expect(Set(patterns).count == 3)
  }

  /// A hedge has the number of an attempt that is still running, which did not fail.
  @Test("A hedge does not fail")
  func hedge() {
    let failures = ScanFailures(every: 2, seed: 1)
    #expect(!(0..<100).contains { failures.fails($0, ScanAttempt(number: 1, isHedge: true)) })
  }

  @Test("Any attempt number and sector number is accepted")
  func anyNumbers() {
    for number in [1, .max] {
      for sector in [Int.min, -1, .max] {
        _ = ScanFailures(every: 2, seed: .max).fails(sector, ScanAttempt(number: number))
      }
    }
  }

  /// When 25 nodes each had their tenth call at the same time, whole sectors used to fail.
  @Test("A failure depends on the attempt and not on the node's calls")
  func perAttempt() async throws {
    let settings = SimulatedScan.Settings(seconds: 0, failingEvery: 10)
    for scan in [SimulatedScan(), SimulatedScan(speed: 3)] {
      for number in 1...2 {
        await #expect(throws: SimulatedFailure(every: 10)) {
          try await scan.run(.init(13), settings: settings, on: ScanAttempt(number: number))
        }
      }
      let output = try await scan.run(.init(13), settings: settings, on: ScanAttempt(number: 3))
      #expect(output == "13")
    }
  }

  @Test(
    "A failure's description tells how often attempts fail",
    arguments: [
      (1, "simulated failure (every attempt)"), (10, "simulated failure (one attempt in 10)"),
    ])
  func description(every: Int, words: String) {
    #expect(SimulatedFailure(every: every).description == words)
  }
}
