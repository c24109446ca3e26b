import ArgumentParser

/// Times on the command line: a number with a unit, `5s`, `2m`, `1.5h`, or a plain number of seconds. Every option
/// that is a time reads it with this, as its `transform`.
enum TimeOption {
  /// The placeholder in help texts.
  static let placeholder = "time"

  /// The units in seconds, the longer names first, as `ms` ends like `s`.
  private static let units: [(name: String, seconds: Double)] = [
    ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
  ]

  /// The seconds that a text stands for.
  ///
  /// - Throws: `ValidationError` that names the forms that are understood.
  static func seconds(_ text: String) throws -> Double {
    let unit = units.first { text.hasSuffix($0.name) }
    let digits = text.dropLast(unit?.name.count ?? 0)
    // `Double` would take hexadecimal numbers and words too, of which "inf" and "nan" are refused by the range.
    guard let number = Double(digits), !digits.contains(where: { "xX ".contains($0) }) else {
      throw ValidationError(
        "\"\(text)\" is not a time such as 5s, 2m, 1.5h, 200ms or 1.5 (seconds)")
    }
    return number * (unit?.seconds ?? 1)
  }

  /// Help of an option that is a time.
  static func help(_ text: String) -> ArgumentHelp {
    ArgumentHelp(stringLiteral: text).named(placeholder)
  }
}

extension ArgumentHelp {
  fileprivate func named(_ valueName: String) -> ArgumentHelp {
    var help = self
    help.valueName = valueName
    return help
  }
}
