/// A number with `places` decimals, the last one rounded, with halves away from zero. The text is
/// the same in every locale. A number too large for decimals has Swift's own description.
func decimal(_ value: Double, places: Int = 4) -> String {
  var bytes: [UInt8] = []
  bytes.append(decimal: value, places: places)
  return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
  /// Appends the text of ``decimal(_:places:)``. A catalogue has millions of numbers, and making a
  /// string for each would take longer than the scan.
  mutating func append(decimal value: Double, places: Int) {
    guard let scaled = scaled(value, places) else {
      return append(contentsOf: value.description.utf8)
    }
    if scaled < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(abs(scaled)), places: places)
  }

  mutating func append(integer: Int) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(integer.magnitude), places: 0)
  }

  /// Appends a whole number with a decimal point before its last places.
  private mutating func append(digits number: UInt64, places: Int) {
    let start = count
    var (rest, written) = (number, 0)
    repeat {
      if places > 0, written == places { append(UInt8(ascii: ".")) }
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      written += 1
    } while rest > 0 || written <= places
    self[start...].reverse()
  }
}

/// The number that a reader gets from the text of ``decimal(_:places:)``.
func rounded(_ value: Double, places: Int) -> Double {
  // One division of two integers gives the double that is nearest to the decimal number; + 0 turns
  // -0 into 0.
  scaled(value, places).map { $0 / power(places) + 0 } ?? value
}

/// The number of units of the last decimal; `nil` if it is too large to be exact.
private func scaled(_ value: Double, _ places: Int) -> Double? {
  let scaled = (value * power(places)).rounded()
  return abs(scaled) < 1e15 ? scaled : nil
}

private func power(_ places: Int) -> Double {
  var power = 1.0
  for _ in 0..<places { power *= 10 }
  return power
}
