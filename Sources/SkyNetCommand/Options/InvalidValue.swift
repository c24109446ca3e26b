import ArgumentParser

/// A value of a number's option that is no number, of which the parser says only that it is invalid.
enum InvalidValue {
  /// What is wrong, and what is needed; `nil` if the parser's own text says so, or something else is wrong.
  ///
  /// - Parameters:
  ///   - text: the parser's.
  ///   - command: the command that the command line asks for.
  static func fault(_ text: String, of command: any ParsableCommand.Type) -> String? {
    guard
      let found = text.firstMatch(of: /^The value '(.*)' is invalid for '(--[^ ']+)[^']*'$/),
      let kind = DeclaredOptions(of: command).kinds[String(found.2)]
    else { return nil }
    return "\(found.2) is \"\(String(found.1).showingControls)\", but \(kind.needed(for: found.1))"
  }
}

/// The numbers that an option takes.
enum NumberKind {
  case whole, notNegative, any

  fileprivate func needed(for value: Substring) -> String {
    let digits = value.drop { $0 == "-" }
    if self != .any, !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) {
      return value.hasPrefix("-")
        ? "a larger number is needed" : "a smaller number is needed"
    }
    return switch self {
    case .whole: "a whole number is needed"
    case .notNegative: "a whole number from 0 on is needed"
    case .any: "a number is needed"
    }
  }
}

/// A type of numbers that options have.
protocol OptionNumber {
  static var kind: NumberKind { get }
}

extension Int: OptionNumber { static var kind: NumberKind { .whole } }
extension UInt64: OptionNumber { static var kind: NumberKind { .notNegative } }
extension Double: OptionNumber { static var kind: NumberKind { .any } }
extension Optional: OptionNumber where Wrapped: OptionNumber {
  static var kind: NumberKind { Wrapped.kind }
}
