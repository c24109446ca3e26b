import Foundation
import SkyNetCore

/// The pixels of a synthetic sky, drawn in bands of rows from the first row on, so that only one
/// band is in memory. The height of the bands does not change any pixel.
struct SkyBands: IteratorProtocol {
  /// The distance from a star's centre up to which the star is drawn, in pixels. At six σ, the
  /// brightest star is far below the noise.
  private static let reach = Int(6 * SyntheticSky.starSigma)

  private let sky: SyntheticSky
  private let rowsPerBand: Int
  /// The stars that overlap each band. They are in the sky's order, because a sum of floating-point
  /// numbers depends on the order.
  private let starsOfBands: [[Int32]]
  private var random: SplitMix64
  private var row = 0

  /// - Parameter rowsPerBand: the height of a band; with `nil`, a million pixels per band.
  init(_ sky: SyntheticSky, rowsPerBand: Int? = nil) {
    let rowsPerBand = rowsPerBand ?? max(1, (1 << 20) / sky.width)
    var starsOfBands = [[Int32]](
      repeating: [], count: (sky.height + rowsPerBand - 1) / rowsPerBand)
    for (index, star) in sky.stars.enumerated() {
      let rows = Self.rows(of: star).clamped(to: 0..<sky.height)
      for band in rows.lowerBound / rowsPerBand...(rows.upperBound - 1) / rowsPerBand {
        starsOfBands[band].append(Int32(index))
      }
    }
    self.sky = sky
    self.rowsPerBand = rowsPerBand
    self.starsOfBands = starsOfBands
    random = SplitMix64(seed: ~sky.seed)
  }

  /// The next band's pixels, row by row; `nil` after the last band.
  mutating func next() -> [UInt16]? {
    guard row < sky.height else { return nil }
    let rows = row..<min(row + rowsPerBand, sky.height)
    row = rows.upperBound
    var values = (0..<rows.count * sky.width).map { _ in
      Float(SyntheticSky.skyLevel + SyntheticSky.skyNoise * random.nextNormal())
    }
    for index in starsOfBands[rows.lowerBound / rowsPerBand] {
      draw(sky.stars[Int(index)], on: &values, rows: rows)
    }
    return values.map { UInt16(max(0, min(65535, $0.rounded()))) }
  }

  /// The rows that a star covers, counted from 0. Some may be outside the image.
  private static func rows(of star: SyntheticSky.Star) -> Range<Int> {
    let center = Int(star.y) - 1
    return center - reach..<center + reach + 1
  }

  private func draw(_ star: SyntheticSky.Star, on values: inout [Float], rows: Range<Int>) {
    let variance = SyntheticSky.starSigma * SyntheticSky.starSigma
    let peak = star.flux / (2 * .pi * variance)
    let centerX = Int(star.x) - 1
    let columns = max(0, centerX - Self.reach)...min(sky.width - 1, centerX + Self.reach)
    for y in Self.rows(of: star).clamped(to: rows) {
      for x in columns {
        let (dx, dy) = (Double(x + 1) - star.x, Double(y + 1) - star.y)
        let light = peak * exp(-(dx * dx + dy * dy) / (2 * variance))
        values[(y - rows.lowerBound) * sky.width + x] += Float(light)
      }
    }
  }
}
