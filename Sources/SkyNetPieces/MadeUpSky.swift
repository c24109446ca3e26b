import SkyNetCore

/// A square image of noise and sources. It is made by additions, multiplications and divisions alone, so that any machine
/// makes the same.
enum MadeUpSky: String, CaseIterable {
  /// Few stars, as in a survey's frame far from the Milky Way.
  case sparse
  /// Stars that overlap, most of which deblending parts.
  case crowded
  /// Large galaxies, whose flat wings make large components.
  case galaxies

  static let side = 512

  /// How many sources may be found, a catalogue beyond which is of another image.
  var expectedSources: ClosedRange<Int> {
    switch self {
    case .sparse: 100...300
    case .crowded: 1000...3000
    case .galaxies: 50...300
    }
  }

  private var shape: (count: Int, radius: ClosedRange<Float>, brightest: Float) {
    switch self {
    case .sparse: (400, 1.6...1.8, 30_000)
    case .crowded: (3000, 1.6...1.8, 30_000)
    case .galaxies: (120, 3...12, 3_000)
    }
  }

  /// The pixels, row by row: a sky of 1000 counts with a gradient, and noise of 10.
  var pixels: [Float] {
    var random = SplitMix64(seed: 1 + UInt64(shape.count))
    let side = Self.side
    var pixels = (0..<side * side).map { index in
      1000 + Float(index % side) / 32 + 10 * random.normal()
    }
    for _ in 0..<shape.count { add(source: &random, to: &pixels) }
    return pixels
  }

  /// Adds a source with the profile of Moffat (1969, A&A 3, 455), β = 3.
  private func add(source random: inout SplitMix64, to pixels: inout [Float]) {
    let side = Self.side
    let (x, y) = (random.uniform() * Float(side), random.uniform() * Float(side))
    let radius =
      shape.radius.lowerBound
      + random.uniform() * (shape.radius.upperBound - shape.radius.lowerBound)
    // Many faint ones, few bright ones.
    let height = min(shape.brightest, 30 / (random.uniform() + 0.0005))
    let (flat, reach) = (0.5 + random.uniform() / 2, Int(10 * radius) + 1)
    for row in max(0, Int(y) - reach)..<min(side, Int(y) + reach + 1) {
      for column in max(0, Int(x) - reach)..<min(side, Int(x) + reach + 1) {
        let (dx, dy) = ((Float(column) - x) / radius, (Float(row) - y) / (radius * flat))
        let wing = 1 + dx * dx + dy * dy
        pixels[row * side + column] += height / (wing * wing * wing)
      }
    }
  }
}

/// In place of `nextUnit` and `nextNormal`, which the generator of older commits lacks.
extension SplitMix64 {
  /// From 0 to 1.
  fileprivate mutating func uniform() -> Float { Float(next() >> 40) / Float(1 << 24) }

  /// Of the mean 0 and the deviation 1, nearly: the sum of twelve, as no library's logarithm is the same everywhere.
  fileprivate mutating func normal() -> Float {
    (0..<12).reduce(Float(-6)) { sum, _ in sum + uniform() }
  }
}
