import Foundation
import SkyDetection
import SkyNetCore

/// How long simulated sectors take on a system of speed 1: all the same, or each its own length by a
/// lognormal distribution, as work in the field mostly has: many short ones, and few that are very
/// long.
///
/// A sector's length follows from the seed and its number alone, so it is the same on each attempt
/// and on any machine. With the numbers x₀, x₁, … of ``SplitMix64`` by the seed, sector n has
/// u = (x₂ₙ >> 11) / 2⁵³ and v = (x₂ₙ₊₁ >> 11) / 2⁵³, from these z = √(−2 ln(1 − u)) cos 2πv, which
/// is normal (Box & Muller 1958, Ann. Math. Stat. 29, 610), and the length median · exp(spread · z).
package struct ScanLengths: Codable, Hashable, Sendable {
  /// As many sectors take less as take more, in seconds. Zero returns at once, which shows what the
  /// cluster itself costs. From 0 to ``SimulatedScan/maximumSeconds``.
  package var median: Double
  /// The standard deviation σ of the length's logarithm: at 1, a sixth of the sectors take more than
  /// 2.7 times the median; the mean is the median times exp(σ²/2). 0 is the same for all; at most
  /// ``maximumSpread``.
  package var spread: Double
  /// What the lengths follow from, where there is a spread; and which attempts fail.
  package var seed: UInt64

  /// More would be none: e¹⁰ is a second to a quarter of a day.
  package static let maximumSpread = 10.0

  package init(median: Double = 1, spread: Double = 0, seed: UInt64 = 1) {
    self.median = median
    self.spread = spread
    self.seed = seed
  }

  /// How long a sector takes, at most ``SimulatedScan/maximumSeconds``.
  package func seconds(of sector: Int) -> Double {
    guard spread > 0 else { return median }
    return min(median * exp(spread * normal(sector)), SimulatedScan.maximumSeconds)
  }

  private func normal(_ sector: Int) -> Double {
    var numbers = SplitMix64(seed: seed)
    numbers.skip(2 &* UInt64(bitPattern: Int64(sector)))
    let (u, v) = (numbers.nextUnit(), numbers.nextUnit())
    return (-2 * log(1 - u)).squareRoot() * cos(2 * .pi * v)
  }

  /// - Throws: ``InvalidScan`` if they make no sense.
  func check() throws {
    guard median >= 0, median <= SimulatedScan.maximumSeconds else {
      throw InvalidScan(
        "a simulated scan of \(median) s; from 0 to \(SimulatedScan.maximumSeconds) is allowed")
    }
    guard spread >= 0, spread <= Self.maximumSpread else {
      throw InvalidScan("a spread of \(spread); from 0 to \(Self.maximumSpread) is allowed")
    }
  }
}
