/// A value that begins with a dash, which the parser takes for an option.
enum MissingValue {
  /// What to type instead; `nil` if no value is missing, or none with a dash follows.
  ///
  /// - Parameter text: the parser's, of a command line of `engage`.
  static func fault(_ text: String, _ arguments: [String]) -> String? {
    guard arguments.first == "engage",
      let missing = text.firstMatch(of: /^Missing value for '(--[^ ']+)[^']*'/),
      let place = arguments.firstIndex(of: String(missing.1)),
      let value = arguments.dropFirst(place + 1).first, value.hasPrefix("-"),
      !value.hasPrefix("--")
    else { return nil }
    return "\(missing.0): a value that begins with a dash is given as \(missing.1)=\(value)"
  }
}
