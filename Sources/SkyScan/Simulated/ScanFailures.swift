import SkyNetCore

/// Which attempts at simulated sectors fail.
///
/// Each fails with the same probability, but never a third in a row of one sector: where nothing
/// else goes wrong, three attempts are enough. Whether one fails follows from the seed, the sector
/// and the attempt's number alone, so it does not depend on which system has it, nor on how many
/// calls that had before. With the numbers x₀, x₁, … of ``SplitMix64`` by the seed, and y₀, y₁, … by
/// xₙ for sector n, attempt k is *drawn* if u = (yₖ₋₁ >> 11) / 2⁵³ is less than the probability. It
/// fails if it was drawn, unless it is the third, the sixth, … of such in a row.
struct ScanFailures {
  /// One attempt in so many fails; 1 is all, and none is spared; 0 is none.
  let every: Int
  let seed: UInt64

  func fails(_ sector: Int, _ attempt: ScanAttempt) -> Bool {
    switch every {
    case 0: return false
    case 1: return true
    default:
      // Without its number, the attempts at a sector would all fail or none; and where another
      // attempt under the same number runs already, that one was not to fail.
      guard let number = attempt.number, !attempt.isHedge else { return false }
      return !inARow(sector, upTo: number).isMultiple(of: 3)
    }
  }

  /// How many attempts in a row were drawn, of which this one is the last.
  private func inARow(_ sector: Int, upTo number: Int) -> Int {
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
