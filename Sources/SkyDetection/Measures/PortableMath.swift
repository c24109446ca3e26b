/// Functions that give the same result on every machine. Those of a library differ between machines
/// in the last bit. These consist of sums, products, quotients and powers of two, which IEEE 754
/// defines exactly. Their relative error is a few 10⁻¹⁶.
package enum PortableMath {
  /// ln 2 rounded to 32 bits, and the remainder.
  private static let log2High = 0.693_147_180_369_123_8
  private static let log2Low = 1.908_214_929_270_587_7e-10

  /// e to a power from -700 to 700.
  static func exp(_ power: Double) -> Double {
    // A power of two, times the series for the remainder, which is at most ln 2 / 2.
    // The sum with 1.5 × 2⁵² has no fraction, and its last bits are those of the whole number.
    let shift = 6_755_399_441_055_744.0
    let shifted = power / (log2High + log2Low) + shift
    let exponent = shifted - shift
    let rest = (power - exponent * log2High) - exponent * log2Low
    var (sum, term) = (1.0, 1.0)
    for index in 1...13 {
      term *= rest / Double(index)
      sum += term
    }
    return sum * Double(bitPattern: (shifted.bitPattern &+ 1023) << 52)
  }

  /// The natural logarithm of a positive number.
  package static func log(_ number: Double) -> Double {
    var (significand, exponent) = (number.significand, Double(number.exponent))
    if significand > 1.414_213_562_373_095 {
      significand /= 2
      exponent += 1
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), whose argument is at most 0.172.
    let ratio = (significand - 1) / (significand + 1)
    let square = ratio * ratio
    var sum = 0.0
    for index in stride(from: 21, through: 1, by: -2) { sum = sum * square + 1 / Double(index) }
    return (2 * ratio * sum + exponent * log2Low) + exponent * log2High
  }
}
