import SkyDetection
import SkyNetCore

/// A made-up image of stars on a noisy sky: something to scan where there is no image at hand, and
/// known to the last star.
///
/// The same values make the same image. Stars are round with a Gaussian profile, lie at least
/// half a ``spacing`` apart, and the fainter, the more there are. The pixels are drawn while the
/// file is written; what is held in memory is the stars.
package struct SyntheticSky: Hashable, Sendable {
  /// A star as it was drawn.
  package struct Star: Hashable, Sendable {
    /// Its centre, counted as FITS does: the centre of the first pixel is (1, 1).
    package let x: Double
    package let y: Double
    /// All of its light, in counts.
    package let flux: Double
  }

  /// How many pixels a side may have.
  package static let sides = 32...32768
  /// What ``spacing`` may be: of these, the largest with room for all stars.
  package static let spacings = [32, 24, 16]
  /// The standard deviation of a star's profile, in pixels.
  package static let starSigma = 1.5
  /// The level of the empty sky and the standard deviation of its noise, in counts.
  package static let skyLevel = 1000.0
  package static let skyNoise = 5.0

  package let width: Int
  package let height: Int
  /// The side in pixels of the cells that have at most one star each. Where many stars are asked
  /// for, they lie closer together: at 16, neighbours can be 8 pixels apart.
  package let spacing: Int
  package let seed: UInt64
  package let stars: [Star]

  /// - Parameters:
  ///   - width: in pixels, from 32 to 32768.
  ///   - height: the same.
  ///   - starCount: how many stars; as many as there are cells of 16 × 16 pixels at most.
  ///   - seed: another one makes another sky.
  /// - Throws: ``InvalidScan`` if a size is out of range, or the stars have no room.
  package init(width: Int = 2048, height: Int = 2048, starCount: Int = 1000, seed: UInt64 = 1)
    throws
  {
    guard Self.sides.contains(width), Self.sides.contains(height) else {
      throw InvalidScan(
        "a synthetic sky of \(width) × \(height) pixels; \(Self.sides.lowerBound) to "
          + "\(Self.sides.upperBound) a side is allowed")
    }
    let rooms = Self.spacings.map { (spacing: $0, stars: (width / $0) * (height / $0)) }
    guard starCount >= 0, let room = rooms.first(where: { starCount <= $0.stars }) else {
      throw InvalidScan(
        "\(starCount) stars on a sky of \(width) × \(height) pixels; 0 to "
          + "\(rooms.map(\.stars).max() ?? 0) are allowed")
    }
    spacing = room.spacing
    self.width = width
    self.height = height
    self.seed = seed
    var random = SplitMix64(seed: seed)
    let columns = width / room.spacing
    let cells = (0..<room.stars).shuffled(using: &random).prefix(starCount)
    stars = cells.map { cell in
      // In the middle half of its cell, a star keeps clear of its neighbours.
      let spacing = Double(room.spacing)
      let x = (Double(cell % columns) + 0.25 + 0.5 * random.nextUnit()) * spacing
      let y = (Double(cell / columns) + 0.25 + 0.5 * random.nextUnit()) * spacing
      // Half the flux, twice as many stars; from 1000 to 100000 counts.
      let flux = 1000 / max(0.01, random.nextUnit())
      return Star(x: x + 0.5, y: y + 0.5, flux: flux)
    }
  }
}
