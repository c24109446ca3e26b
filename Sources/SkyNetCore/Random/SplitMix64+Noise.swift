extension SplitMix64 {
  /// From 0 up to 1, evenly.
  package mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Normally distributed about 0 with deviation 1, as nearly as the sum of twelve even numbers
  /// is: sums come out the same on every machine, logarithms and cosines need not.
  package mutating func nextNormal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += nextUnit() }
    return sum
  }
}
