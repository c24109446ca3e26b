/// A small random generator whose numbers follow from its seed alone (Steele, Lea & Flood 2014,
/// OOPSLA, "Fast splittable pseudorandom number generators").
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// From 0 up to 1, evenly.
  mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Normally distributed about 0 with deviation 1, as nearly as the sum of twelve even numbers
  /// is: sums come out the same on every machine, logarithms and cosines need not.
  mutating func nextNormal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += nextUnit() }
    return sum
  }
}
