package import ArgumentParser

/// Times on the command line: numbers with units, `5s`, `2m`, `1.5h`, `1m30s`, or a plain number of seconds. Every
/// option that is a time reads it with this, as its `transform`.
package enum TimeOption {
  /// The placeholder in help texts.
  package static let placeholder = "5s|2m|1.5h"
  /// What a command's help says of all its times.
  package static let explanation = """
    A time has a unit, ms, s, m, h or d, or several as in 1m30s; a plain number is seconds.
    """

  /// The units in seconds, the longest first.
  private static let units: [(name: String, seconds: Double)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1), ("ms", 0.001),
  ]

  /// The seconds that a text stands for.
  ///
  /// - Throws: `ValidationError` that names the forms that are understood.
  package static func seconds(_ text: String) throws -> Double {
    if let plain = number(text[...]) { return plain }
    var (rest, sum, unitsLeft) = (text[...], 0.0, units[...])
    repeat {
      // The unit is the letters up to the next number.
      let end = rest.firstIndex { $0.isLetter && $0 != "e" } ?? rest.endIndex
      let letters = rest[end...].prefix(while: \.isLetter)
      guard let number = number(rest[..<end]),
        let unit = unitsLeft.firstIndex(where: { $0.name == letters })
      else {
        throw ValidationError(
          "\"\(text)\" is not a time such as 5s, 2m, 1.5h, 1m30s, 200ms or 1.5 (seconds)")
      }
      sum += number * unitsLeft[unit].seconds
      unitsLeft = unitsLeft[(unit + 1)...]
      rest = rest[letters.endIndex...]
    } while !rest.isEmpty
    return sum
  }

  private static func number(_ digits: Substring) -> Double? {
    // `Double` would take hexadecimal numbers and words too, of which "inf" and "nan" are refused by the range.
    digits.contains { "xX ".contains($0) } ? nil : Double(digits)
  }

  /// A time as it would be typed: `1m30s`.
  package static func text(_ seconds: Double) -> String {
    guard seconds >= 0, seconds < 1e12 else { return "\(seconds) s" }
    guard seconds >= 1 else { return seconds == 0 ? "0s" : "\(short(seconds * 1000))ms" }
    var (rest, text) = (seconds, "")
    for unit in units where unit.seconds >= 1 {
      let count = unit.seconds == 1 ? rest : (rest / unit.seconds).rounded(.down)
      if count > 0 { text += short(count) + unit.name }
      rest -= count * unit.seconds
    }
    return text
  }

  /// To the thousandth, without zeros at the end.
  private static func short(_ number: Double) -> String {
    let text = "\((number * 1000).rounded() / 1000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Help of an option that is a time.
  package static func help(_ text: String) -> ArgumentHelp {
    ArgumentHelp(stringLiteral: text).named(placeholder)
  }
}

extension ArgumentHelp {
  /// The same help with a placeholder, which names a unit.
  package func named(_ valueName: String) -> ArgumentHelp {
    var help = self
    help.valueName = valueName
    return help
  }
}
