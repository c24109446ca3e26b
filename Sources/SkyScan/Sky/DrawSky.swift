import Foundation
import SkyNetCore

extension SyntheticSky {
  /// The image, row by row.
  public func pixels() -> [UInt16] {
    var random = SplitMix64(seed: ~seed)
    var values = (0..<width * height).map { _ in
      Float(Self.skyLevel + Self.skyNoise * random.nextNormal())
    }
    for star in stars { draw(star, on: &values) }
    return values.map { UInt16(max(0, min(65535, $0.rounded()))) }
  }

  private func draw(_ star: Star, on values: inout [Float]) {
    let variance = Self.starSigma * Self.starSigma
    let peak = star.flux / (2 * .pi * variance)
    // Six σ out the brightest star is far below the noise.
    let reach = Int(6 * Self.starSigma)
    let (centerX, centerY) = (Int(star.x) - 1, Int(star.y) - 1)
    for y in max(0, centerY - reach)...min(height - 1, centerY + reach) {
      for x in max(0, centerX - reach)...min(width - 1, centerX + reach) {
        let (dx, dy) = (Double(x + 1) - star.x, Double(y + 1) - star.y)
        values[y * width + x] += Float(peak * exp(-(dx * dx + dy * dy) / (2 * variance)))
      }
    }
  }

  /// Writes the image to a new FITS file, in 16 bits with BZERO 32768, as cameras do. Drawing and
  /// writing are done on a queue of their own.
  ///
  /// - Throws: ``FITSError``, also if there is such a file already.
  public func write(to path: String) async throws {
    try await FITSWriter().write(self, to: path)
  }
}
