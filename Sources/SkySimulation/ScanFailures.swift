import SkyNetCore

/// Decides which attempts at simulated sectors fail.
///
/// Each attempt fails with the same probability, but never three attempts in a row at one sector:
/// where nothing else goes wrong, three attempts are enough. The decision follows from the seed,
/// the sector and the attempt's number alone. It does not depend on the system, nor on the calls
/// that the system had before. Let x₀, x₁, … be the numbers of ``SplitMix64`` with the seed, and
/// y₀, y₁, … those with the seed xₙ for sector n. Attempt k is *drawn* if u = (yₖ₋₁ >> 11) / 2⁵³ is
/// less than the probability. A drawn attempt fails unless it is the third, the sixth, … of
/// consecutive drawn attempts.
struct ScanFailures {
  /// One attempt in this many fails. With 1, all fail, without exception; with 0, none fails.
  let every: Int
  let seed: UInt64

  func fails(_ sector: Int, _ attempt: ScanAttempt) -> Bool {
    switch every {
    case 0: return false
    case 1: return true
    default:
      // A hedge has the number of an attempt that is still running, so that number is not one that
      // fails.
      return !attempt.isHedge
        && !consecutiveDraws(sector, upTo: attempt.number).isMultiple(of: 3)
    }
  }

  /// The number of consecutive drawn attempts that end with this one.
  private func consecutiveDraws(_ sector: Int, upTo number: Int) -> Int {
    var sectors = SplitMix64(seed: seed)
    sectors.skip(UInt64(bitPattern: Int64(sector)))
    let attempts = SplitMix64(seed: sectors.next())
    var count = 0
    while count < number {
      var draws = attempts
      draws.skip(UInt64(number - count - 1))
      guard draws.nextUnit() * Double(every) < 1 else { break }
      count += 1
    }
    return count
  }
}
