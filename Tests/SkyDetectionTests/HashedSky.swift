import Foundation

@testable import SkyDetection

/// A sky of ten stars whose noise follows from hashes of the pixels' numbers, and is larger on the right
/// half. SExtractor 2.25 printed the numbers that tests expect of it, from the same image in a file.
enum HashedSky {
  static let side = 192
  static let half = 96

  private static let stars: [(x: Double, y: Double, peak: Double, deviation: Double)] = [
    (30.3, 40.2, 300, 1.5), (70.7, 45.4, 80, 1.3), (120.2, 60.9, 200, 2), (150.5, 30.1, 60, 1.4),
    (40.6, 120.7, 500, 1.8), (55.1, 122.3, 120, 1.5), (140.8, 130.3, 150, 1.6),
    (165.2, 160.7, 90, 1.5), (90.4, 160.6, 1000, 2.5), (188, 100, 200, 1.6),
  ]

  static let pixels: [Float] = (0..<side * side).map { index in
    let (x, y) = (Double(index % side), Double(index / side))
    var value = 100 + noise(index) * (index % side < half ? 3 : 5)
    for star in stars {
      let (dx, dy) = (x - star.x, y - star.y)
      value += star.peak * exp(-(dx * dx + dy * dy) / (2 * star.deviation * star.deviation))
    }
    return Float(value)
  }

  /// The noise's standard deviation: larger on a part of a star, and infinite at two pixels of another
  /// one.
  static let deviations: [Float] = (0..<side * side).map { index in
    let (x, y) = (index % side, index / side)
    if y == 131, (141...142).contains(x) { return 1e30 }
    if (28...32).contains(x), (40..<46).contains(y) { return 8 }
    return x < half ? 3 : 5
  }

  static let variances: [Float] = deviations.map { $0 < 1e29 ? 2 * $0 * $0 : 1e30 }
  static let weights: [Float] = deviations.map { $0 < 1e29 ? 7 / ($0 * $0) : 0 }

  /// The sum of the bytes of a hash, scaled to a deviation of 1.
  private static func noise(_ index: Int) -> Double {
    var hash = (UInt64(index) + 1) &* 0x9e37_79b9_7f4a_7c15
    hash ^= hash >> 29
    hash = hash &* 0xbf58_476d_1ce4_e5b9
    hash ^= hash >> 32
    let sum = (0..<4).reduce(0) { $0 + Int(hash >> (8 * UInt64($1)) & 255) }
    return Double(sum - 510) / 148
  }

  /// The settings with which SExtractor measured the image.
  static var settings: DetectionSettings {
    var settings = DetectionSettings()
    settings.threshold = 3
    settings.gain = 2
    settings.scalesGain = true
    settings.interpolates = true
    settings.apertures = [7]
    settings.measures = [.fluxErrors, .thresholds]
    return settings
  }

  static func sources(
    weights: [Float]? = nil, _ change: (inout DetectionSettings) -> Void = { _ in }
  ) throws -> [Source] {
    var settings = settings
    change(&settings)
    return try SourceDetector(settings).sources(
      in: pixels, width: side, height: side, weights: weights)
  }

  static func noise(
    weights: [Float]?, _ weighting: DetectionSettings.Weighting
  ) throws -> Double {
    var settings = settings
    settings.weighting = weighting
    return try SourceDetector(settings).background(
      of: pixels, width: side, height: side, weights: weights
    ).noise
  }
}

extension [Source] {
  /// The source at a place, in pixels from 1.
  func near(_ x: Double, _ y: Double) -> Source? {
    first { abs($0.x - x) < 0.05 && abs($0.y - y) < 0.05 }
  }
}

/// Whether a number is what SExtractor printed, except for the rounding of its floats.
func isPrinted(_ number: Double?, _ printed: Double, within part: Double = 2e-4) -> Bool {
  number.map { abs($0 - printed) <= part * abs(printed) } ?? false
}
