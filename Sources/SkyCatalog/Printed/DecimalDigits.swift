extension [UInt8] {
  /// Appends the digits of `value × 10^places`, rounded to a whole number; with a half, to the even
  /// one, as `printf` rounds.
  ///
  /// - Parameters:
  ///   - value: a finite number that is not negative.
  ///   - atLeast: the number of digits at least. Zeros precede too few.
  mutating func append(units value: Double, places: Int, atLeast: Int = 1) {
    let start = count
    if let units = units(value, places) {
      append(integer: units)
    } else {
      append(contentsOf: DecimalExpansion(value).units(places: places))
    }
    let missing = atLeast - (count - start)
    if missing > 0 {
      insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: missing), at: start)
    }
  }

  /// Appends a number's first digits, rounded.
  ///
  /// - Returns: the power of ten that the first digit counts.
  mutating func append(significant value: Double, digits: Int) -> Int {
    let start = count
    guard value > 0 else {
      append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
      return 0
    }
    // The power of the highest bit: that of the rounded number, or one less.
    let power = Int((Double(value.exponent) * 0.301_029_995_663_981_2).rounded(.down))
    append(units: value, places: digits - 1 - power)
    guard count - start > digits else { return power }
    removeLast(count - start)
    append(units: value, places: digits - 2 - power)
    return power + 1
  }
}

/// `value × 10^places`, rounded to the nearest whole number; `nil` if the product is too large, or the
/// power of ten is not exact.
///
/// The product of two doubles is rounded. Its error, which a fused multiplication gives exactly,
/// tells on which side of a half the true product is.
private func units(_ value: Double, _ places: Int) -> Int? {
  guard (-22...22).contains(places) else { return nil }
  let power = powersOfTen[abs(places)]
  let product = places < 0 ? value / power : value * power
  // Below 2^52, doubles have halves.
  guard product < 0x1p52 else { return nil }
  let whole = product.rounded(.down)
  let fraction = product - whole
  guard fraction == 0.5 else { return Int(whole) + (fraction > 0.5 ? 1 : 0) }
  let error =
    places < 0 ? value.addingProduct(-product, power) : (-product).addingProduct(value, power)
  let isOdd = Int(whole) & 1 == 1
  return Int(whole) + (error > 0 || error == 0 && isOdd ? 1 : 0)
}

/// The powers of ten that are exact doubles.
private let powersOfTen: [Double] = (0...22).map { exponent in
  (0..<exponent).reduce(1) { power, _ in power * 10 }
}

/// All decimal digits of a double: it is a whole number, divided by a power of ten.
private struct DecimalExpansion {
  /// The digits of the whole number, as ASCII.
  private var digits: [UInt8] = []
  /// The power of ten.
  private let scale: Int

  /// - Parameter value: a finite number that is not negative.
  init(_ value: Double) {
    // The number is significand × 2^exponent; and 2^-n is 5^n / 10^n.
    let exponent = max(Int(value.exponentBitPattern), 1) - 1075
    let hidden: UInt64 = value.isNormal ? 1 << 52 : 0
    var limbs = [value.significandBitPattern | hidden]
    Self.carry(&limbs)
    scale = max(0, -exponent)
    for _ in 0..<abs(exponent) {
      for index in limbs.indices { limbs[index] *= exponent < 0 ? 5 : 2 }
      Self.carry(&limbs)
    }
    for limb in limbs.reversed() {
      let text = Array(String(limb).utf8)
      if !digits.isEmpty {
        digits += repeatElement(UInt8(ascii: "0"), count: Self.digitsPerLimb - text.count)
      }
      digits += text
    }
  }

  private static let digitsPerLimb = 18
  private static let base: UInt64 = 1_000_000_000_000_000_000

  /// Makes each limb, the lowest of which comes first, smaller than the base.
  private static func carry(_ limbs: inout [UInt64]) {
    var carried: UInt64 = 0
    for index in limbs.indices {
      (carried, limbs[index]) = (limbs[index] + carried).quotientAndRemainder(dividingBy: base)
    }
    if carried > 0 { limbs.append(carried) }
  }

  /// The digits of the number × 10^places, rounded to a whole number; with a half, to the even one.
  func units(places: Int) -> [UInt8] {
    let (zero, five) = (UInt8(ascii: "0"), UInt8(ascii: "5"))
    let kept = digits.count - scale + places
    guard kept >= 0 else { return [zero] }
    guard kept < digits.count else {
      return digits + repeatElement(zero, count: kept - digits.count)
    }
    var units = kept == 0 ? [zero] : Array(digits[..<kept])
    let isAboveHalf = digits[kept] > five || digits[(kept + 1)...].contains { $0 != zero }
    guard digits[kept] >= five, isAboveHalf || units[units.count - 1] & 1 == 1 else { return units }
    for index in units.indices.reversed() {
      guard units[index] == zero + 9 else {
        units[index] += 1
        return units
      }
      units[index] = zero
    }
    return [zero + 1] + units
  }
}
