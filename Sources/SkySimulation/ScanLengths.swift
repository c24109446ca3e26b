// What this file codes is frozen by the version of `SimulatedScan.kind`.

import Foundation
import SkyNetCore

/// The durations of simulated sectors on a system of speed 1: all equal, or drawn from a lognormal
/// distribution, like most work in practice, with many short sectors and a few very long ones.
///
/// A sector's duration follows from the seed and its number alone, so it is the same on each
/// attempt and on any machine. Let x₀, x₁, … be the numbers of ``SplitMix64`` with the seed. Sector
/// n has u = (x₂ₙ >> 11) / 2⁵³ and v = (x₂ₙ₊₁ >> 11) / 2⁵³. From these, z = √(−2 ln(1 − u)) cos 2πv
/// is normal (Box & Muller 1958, Ann. Math. Stat. 29, 610), and the duration is median · exp(spread
/// · z).
package struct ScanLengths: Codable, Hashable, Sendable {
  /// The median, in seconds. With 0, a scan returns at once, which shows the cost of the cluster
  /// itself. From 0 to ``SimulatedScan/maximumSeconds``.
  package var median: Double
  /// The standard deviation σ of the duration's logarithm. With 1, a sixth of the sectors take more
  /// than 2.7 times the median. The mean is the median times exp(σ²/2). With 0, all durations are
  /// equal. At most ``maximumSpread``.
  package var spread: Double
  /// The seed of the durations, if there is a spread, and of the failures.
  package var seed: UInt64

  /// The largest useful spread: e¹⁰ is the ratio of a quarter of a day to a second.
  package static let maximumSpread = 10.0

  package init(median: Double = 1, spread: Double = 0, seed: UInt64 = 1) {
    self.median = median
    self.spread = spread
    self.seed = seed
  }

  /// The duration of a sector, at most ``SimulatedScan/maximumSeconds``.
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

  /// - Throws: ``InvalidSimulation`` if a number is out of its range.
  func check() throws {
    guard median >= 0, median <= SimulatedScan.maximumSeconds else {
      throw InvalidSimulation(
        "a simulated scan of \(median) s; from 0 to \(SimulatedScan.maximumSeconds) is allowed")
    }
    guard spread >= 0, spread <= Self.maximumSpread else {
      throw InvalidSimulation("a spread of \(spread); from 0 to \(Self.maximumSpread) is allowed")
    }
  }
}
