import SkyDetection
import SkyNetCore

extension SimulatedScan {
  /// What every sector of a simulated job has in common.
  package struct Settings: Hashable, Sendable {
    /// How long the sectors take; its seed is also what failures are drawn from.
    package var lengths: ScanLengths
    /// One attempt in so many throws ``SimulatedFailure``, by chance, and at most two in a row at one
    /// sector; 1 is every attempt, 0 is none.
    package var failingEvery: Int
    /// How many bytes of pixels each sector carries, from 0 to ``SimulatedScan/maximumBytes``.
    package var sectorBytes: Int

    package init(lengths: ScanLengths = .init(), failingEvery: Int = 10, sectorBytes: Int = 0) {
      self.lengths = lengths
      self.failingEvery = failingEvery
      self.sectorBytes = sectorBytes
    }

    /// Sectors that all take as long.
    package init(seconds: Double, failingEvery: Int = 10) {
      self.init(lengths: ScanLengths(median: seconds), failingEvery: failingEvery)
    }

    /// - Throws: ``InvalidScan`` if they make no sense.
    func check() throws {
      try lengths.check()
      guard failingEvery >= 0 else {
        throw InvalidScan(
          "one attempt in \(failingEvery) is to fail; 0 (none) or more is allowed")
      }
    }
  }

  /// A day: the longest a sector can be asked to take.
  package static let maximumSeconds = 86_400.0
  /// The most pixels a sector can have: what a message may carry, in bytes.
  package static let maximumBytes = WireLimits().bulk
}

/// As JSON `{"seconds":1,"failingEvery":10}`. Where there is a spread, `seconds` is an object,
/// `{"median":1,"spread":0.5,"seed":1}`; else `seed` is beside it, unless it is 1. `sectorBytes` is
/// there unless it is 0.
extension SimulatedScan.Settings: Codable {
  private enum CodingKeys: String, CodingKey {
    case seconds, failingEvery, seed, sectorBytes
  }

  private static let usualSeed = ScanLengths().seed

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let seconds = try? container.decode(Double.self, forKey: .seconds)
    self.init(
      lengths: try seconds.map { seconds in
        let seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
        return ScanLengths(median: seconds, seed: seed ?? Self.usualSeed)
      } ?? container.decode(ScanLengths.self, forKey: .seconds),
      failingEvery: try container.decode(Int.self, forKey: .failingEvery),
      sectorBytes: try container.decodeIfPresent(Int.self, forKey: .sectorBytes) ?? 0)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if lengths.spread == 0 {
      try container.encode(lengths.median, forKey: .seconds)
      if lengths.seed != Self.usualSeed { try container.encode(lengths.seed, forKey: .seed) }
    } else {
      try container.encode(lengths, forKey: .seconds)
    }
    try container.encode(failingEvery, forKey: .failingEvery)
    if sectorBytes != 0 { try container.encode(sectorBytes, forKey: .sectorBytes) }
  }
}
