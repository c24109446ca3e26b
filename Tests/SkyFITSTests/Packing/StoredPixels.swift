import Foundation

/// Random numbers that follow from a seed: SplitMix64 (Steele, Lea, Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// A number of the normal distribution (Box, Muller 1958).
  mutating func normal() -> Double {
    let radius = (-2 * log(Double.random(in: .ulpOfOne..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }

  mutating func noise(count: Int, sigma: Double, mean: Double = 1000) -> [Int16] {
    (0..<count).map { _ in Int16(clamping: Int(mean + sigma * normal())) }
  }
}

extension Data {
  /// Pixels as they are sent to systems.
  init(pixels: [Int16]) {
    self = pixels.reduce(into: Data(capacity: 2 * pixels.count)) { data, pixel in
      data.append(UInt8(truncatingIfNeeded: pixel))
      data.append(UInt8(truncatingIfNeeded: pixel >> 8))
    }
  }
}
