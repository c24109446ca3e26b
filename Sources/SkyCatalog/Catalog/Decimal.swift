/// A number with so many decimals, the last one rounded, halves away from zero; the same text in
/// every country. Numbers too large to have them are written as Swift writes them.
func decimal(_ value: Double, places: Int = 4) -> String {
  var bytes: [UInt8] = []
  bytes.append(decimal: value, places: places)
  return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
  /// Appends the text of ``decimal(_:places:)``: a catalogue has millions of numbers, and a string
  /// for each would take longer than the scan.
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

  /// Appends a whole number with a point before its last places.
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

/// The number that the text of ``decimal(_:places:)`` is read as.
func rounded(_ value: Double, places: Int) -> Double {
  // One division of two whole numbers gives what is nearest to the decimal number; + 0 makes 0 of -0.
  scaled(value, places).map { $0 / power(places) + 0 } ?? value
}

/// How many units of the last decimal a number has; `nil` if they are too many to be counted.
private func scaled(_ value: Double, _ places: Int) -> Double? {
  let scaled = (value * power(places)).rounded()
  return abs(scaled) < 1e15 ? scaled : nil
}

private func power(_ places: Int) -> Double {
  var power = 1.0
  for _ in 0..<places { power *= 10 }
  return power
}
