// What this file codes is frozen by the version of `SimulatedScan.kind`.

import SkyNetCore

extension SimulatedScan {
  /// The settings of a simulated job, which are the same for every sector.
  package struct Settings: Hashable, Sendable {
    /// The durations of the sectors. Their seed is also that of the failures.
    package var lengths: ScanLengths
    /// One attempt in this many throws ``SimulatedFailure``, at random, and at most two in a row at
    /// one sector. 1 means every attempt, 0 means none.
    package var failingEvery: Int
    /// The number of bytes of pixels that each sector carries, from 0 to
    /// ``SimulatedScan/maximumBytes``.
    package var sectorBytes: Int

    package init(lengths: ScanLengths = .init(), failingEvery: Int = 10, sectorBytes: Int = 0) {
      self.lengths = lengths
      self.failingEvery = failingEvery
      self.sectorBytes = sectorBytes
    }

    /// Settings with the same duration for all sectors.
    package init(seconds: Double, failingEvery: Int = 10) {
      self.init(lengths: ScanLengths(median: seconds), failingEvery: failingEvery)
    }

    /// - Throws: ``InvalidSimulation`` if a setting is out of its range.
    func check() throws {
      try lengths.check()
      guard failingEvery >= 0 else {
        throw InvalidSimulation(
          "one attempt in \(failingEvery) is to fail; 0 (none) or more is allowed")
      }
    }
  }

  /// The longest duration of a sector: a day.
  package static let maximumSeconds = 86_400.0
  /// The largest number of bytes of pixels of a sector: as many as a message may carry.
  package static let maximumBytes = WireLimits().bulk
}

/// In JSON, the settings are `{"seconds":1,"failingEvery":10}`. With a spread, `seconds` is an
/// object, `{"median":1,"spread":0.5,"seed":1}`; otherwise `seed` is beside it, unless it is 1.
/// `sectorBytes` is left out if it is 0.
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
