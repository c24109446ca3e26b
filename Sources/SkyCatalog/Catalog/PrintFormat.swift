/// How SExtractor's formats print a number. The text is that of C's `printf` in the locale C, to the
/// byte, in every locale and on every system.
public enum PrintFormat: Hashable, Sendable {
  /// `%w.pf`, or `%+w.pf` for a number that always has its sign.
  case fixed(width: Int, places: Int, signed: Bool = false)
  /// `%w.dg`.
  case general(width: Int, digits: Int)
  /// `%w.de`, with that many digits behind the point.
  case exponent(width: Int, digits: Int)
  /// `%wd`.
  case integer(width: Int)

  /// The format as in TDISPn (FITS Standard 4.0, section 7.3.4).
  var display: String {
    switch self {
    case .fixed(let width, let places, _): "F\(width).\(places)"
    case .general(let width, let digits): "G\(width).\(digits)"
    case .exponent(let width, let digits): "E\(width).\(digits)"
    case .integer(let width): "I\(width)"
    }
  }

  /// Appends a number's text. A text that is wider than the format's width stays whole.
  func append(_ value: Double, to bytes: inout [UInt8]) {
    let start = bytes.count
    let width: Int
    switch self {
    case .fixed(let wanted, let places, let signed):
      width = wanted
      if bytes.append(signOf: value, always: signed) {
        bytes.append(units: value.magnitude, places: places, atLeast: places + 1)
        bytes.insertPoint(before: places)
      }
    case .general(let wanted, let digits):
      width = wanted
      if bytes.append(signOf: value) { Self.appendGeneral(value.magnitude, max(1, digits), &bytes) }
    case .exponent(let wanted, let digits):
      width = wanted
      if bytes.append(signOf: value) {
        let exponent = bytes.append(significant: value.magnitude, digits: digits + 1)
        bytes.insertPoint(before: digits)
        bytes.append(exponent: exponent)
      }
    case .integer(let wanted):
      width = wanted
      bytes.append(integer: Int(exactly: value.rounded(.towardZero)) ?? 0)
    }
    let missing = width - (bytes.count - start)
    if missing > 0 {
      bytes.insert(contentsOf: repeatElement(UInt8(ascii: " "), count: missing), at: start)
    }
  }

  /// `%g`: the exponent of the rounded number decides between the two forms, and zeros at the end of
  /// a fraction are left out (C11, 7.21.6.1).
  private static func appendGeneral(_ value: Double, _ digits: Int, _ bytes: inout [UInt8]) {
    let start = bytes.count
    let exponent = bytes.append(significant: value, digits: digits)
    guard (-4..<digits).contains(exponent) else {
      bytes.insertPoint(before: digits - 1)
      bytes.dropFractionZeros(from: start)
      return bytes.append(exponent: exponent)
    }
    if exponent < 0 {
      bytes.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: -exponent), at: start)
    }
    bytes.insertPoint(before: digits - 1 - exponent)
    bytes.dropFractionZeros(from: start)
  }
}

extension [UInt8] {
  /// Appends a number's sign, and the whole text of a number that is not finite.
  ///
  /// - Returns: whether the number is finite, and its digits are to follow.
  fileprivate mutating func append(signOf value: Double, always: Bool = false) -> Bool {
    if value.sign == .minus {
      append(UInt8(ascii: "-"))
    } else if always {
      append(UInt8(ascii: "+"))
    }
    guard !value.isFinite else { return true }
    append(contentsOf: value.isNaN ? "nan".utf8 : "inf".utf8)
    return false
  }

  fileprivate mutating func insertPoint(before places: Int) {
    if places > 0 { insert(UInt8(ascii: "."), at: count - places) }
  }

  /// Drops the zeros at the end of a number with a point, and the point if nothing follows it.
  fileprivate mutating func dropFractionZeros(from start: Int) {
    guard self[start...].contains(UInt8(ascii: ".")) else { return }
    while last == UInt8(ascii: "0") { removeLast() }
    if last == UInt8(ascii: ".") { removeLast() }
  }

  /// Appends an exponent, which has at least two digits.
  fileprivate mutating func append(exponent: Int) {
    append(contentsOf: exponent < 0 ? "e-".utf8 : "e+".utf8)
    if exponent.magnitude < 10 { append(UInt8(ascii: "0")) }
    append(integer: Int(exponent.magnitude))
  }
}
