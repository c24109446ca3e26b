extension SplitMix64 {
  /// A number from 0 up to 1, evenly distributed.
  package mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number with nearly the normal distribution about 0 with deviation 1: the sum of twelve
  /// evenly distributed numbers. Sums come out the same on every machine; logarithms and cosines
  /// need not.
  package mutating func nextNormal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += nextUnit() }
    return sum
  }
}
