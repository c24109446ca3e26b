import SkyDetection
import SkyNetCore

/// A synthetic image of stars on a noisy sky, for scans without a real image. All of its stars are
/// known.
///
/// The same parameters make the same image. Stars are round, with a Gaussian profile, and at least
/// half a ``spacing`` apart. Fainter stars are more numerous. Only the stars are in memory; the
/// pixels are drawn while the file is written.
package struct SyntheticSky: Hashable, Sendable {
  /// A star of the image.
  package struct Star: Hashable, Sendable {
    /// The star's centre, counted as in FITS: the centre of the first pixel is (1, 1).
    package let x: Double
    package let y: Double
    /// The star's flux, in counts.
    package let flux: Double
  }

  /// The lengths that a side may have, in pixels.
  package static let sides = 32...32768
  /// The values of ``spacing``. A sky has the largest one that gives room for all stars.
  package static let spacings = [32, 24, 16]
  /// The standard deviation of a star's profile, in pixels.
  package static let starSigma = 1.5
  /// The level of the empty sky, and the standard deviation of its noise, in counts.
  package static let skyLevel = 1000.0
  package static let skyNoise = 5.0

  package let width: Int
  package let height: Int
  /// The side of a cell, in pixels. A cell has at most one star. With many stars, cells are
  /// smaller: at 16, neighbours can be 8 pixels apart.
  package let spacing: Int
  package let seed: UInt64
  package let stars: [Star]

  /// - Parameters:
  ///   - width: the width in pixels, from 32 to 32768.
  ///   - height: the height in pixels, from 32 to 32768.
  ///   - starCount: the number of stars, at most as many as there are cells of 16 × 16 pixels.
  ///   - seed: the seed; another one makes another sky.
  /// - Throws: ``InvalidScan`` if a size is out of range, or there is no room for the stars.
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
      // A star is in the middle half of its cell, so it keeps its distance from its neighbours.
      let spacing = Double(room.spacing)
      let x = (Double(cell % columns) + 0.25 + 0.5 * random.nextUnit()) * spacing
      let y = (Double(cell / columns) + 0.25 + 0.5 * random.nextUnit()) * spacing
      // Half the flux has twice as many stars, from 1000 to 100000 counts.
      let flux = 1000 / max(0.01, random.nextUnit())
      return Star(x: x + 0.5, y: y + 0.5, flux: flux)
    }
  }
}
