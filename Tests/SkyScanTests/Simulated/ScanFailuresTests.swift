import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// Which attempts at simulated sectors fail.
@Suite struct ScanFailuresTests {
  private func failures(every: Int, seed: UInt64 = 1, _ sector: Int, upTo last: Int) -> [Bool] {
    let failures = ScanFailures(every: every, seed: seed)
    return (1...last).map { failures.fails(sector, ScanAttempt(number: $0)) }
  }

  /// The same on any machine, and in any version: the numbers are those of `ScanFailures`'
  /// description, worked out elsewhere.
  @Test func whichFailFollowsFromTheSeed() {
    let first = (0..<50).filter { failures(every: 10, $0, upTo: 1)[0] }
    #expect(first == [13, 37, 38, 47, 48])
    #expect(failures(every: 10, 13, upTo: 3) == [true, true, false])
    #expect(failures(every: 10, 38, upTo: 2) == [true, false])
  }

  @Test(arguments: [2, 3, 10, 100])
  func asManyFailAsAreToAndNoneThreeTimesInARow(every: Int) {
    let attempts = (0..<2000).map { failures(every: every, seed: 7, $0, upTo: 12) }
    for sector in attempts {
      #expect(!(0..<10).contains { sector[$0] && sector[$0 + 1] && sector[$0 + 2] })
    }
    let share = Double(attempts.count { $0[0] }) / 2000
    // Five standard deviations.
    let probability = 1 / Double(every)
    #expect(abs(share - probability) < 5 * (probability * (1 - probability) / 2000).squareRoot())
  }

  @Test func withOneAllFailAndWithZeroNone() {
    for sector in 0..<20 {
      #expect(failures(every: 1, sector, upTo: 6).allSatisfy { $0 })
      #expect(!failures(every: 0, sector, upTo: 6).contains(true))
    }
  }

  @Test func otherSeedsFailOtherSectors() {
    let seeds: [UInt64] = [1, 2, .max]
    let patterns = seeds.map { seed in
      (0..<200).map { failures(every: 10, seed: seed, $0, upTo: 1)[0] }
    }
    #expect(Set(patterns).count == 3)
  }

  /// Its rival is at the same try, and runs: that try was not to fail.
  @Test func aHedgeDoesNotFailAnew() {
    let failures = ScanFailures(every: 2, seed: 1)
    #expect(!(0..<100).contains { failures.fails($0, ScanAttempt(number: 1, isHedge: true)) })
  }

  /// An earlier version's coordinator tells no numbers: all tries of a sector would be the first.
  @Test func withoutNumbersNoneFails() {
    let failures = ScanFailures(every: 2, seed: 1)
    #expect(!(0..<100).contains { failures.fails($0, ScanAttempt(number: nil)) })
  }

  @Test func theNumberMayBeAnyAndTheSectorToo() {
    for number in [1, .max] {
      for sector in [Int.min, -1, .max] {
        _ = ScanFailures(every: 2, seed: .max).fails(sector, ScanAttempt(number: number))
      }
    }
  }

  /// 25 nodes that each had their tenth call at the same time used to fail whole sectors.
  @Test func aScanFailsByItsAttemptAndNotByItsNodesCalls() async throws {
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

  @Test(arguments: [
    (1, "simulated failure (every attempt)"), (10, "simulated failure (one attempt in 10)"),
  ])
  func aFailureSaysHowOften(every: Int, words: String) {
    #expect(SimulatedFailure(every: every).description == words)
  }
}
