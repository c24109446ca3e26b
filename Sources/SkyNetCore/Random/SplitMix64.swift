/// A small random generator whose numbers follow from its seed alone (Steele, Lea & Flood 2014,
/// OOPSLA, "Fast splittable pseudorandom number generators"). It serves whatever has to be the same
/// each time: simulations, plans of faults, synthetic skies.
package struct SplitMix64: RandomNumberGenerator {
  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= Self.step
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Skips this many numbers in constant time: each one only adds a constant to the state.
  package mutating func skip(_ count: UInt64) {
    state &+= count &* Self.step
  }

  /// Returns `true` with this probability, from 0 to 1.
  package mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  /// A number from 0 up to 1, evenly distributed.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number with nearly the normal distribution about 0 with deviation 1: the sum of twelve
  /// evenly distributed numbers. Sums come out the same on every machine; logarithms and cosines
  /// need not.
  package mutating func nextNormal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += nextUnit() }
    return sum
  }
}
