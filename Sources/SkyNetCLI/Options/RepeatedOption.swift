import ArgumentParser
import Foundation

/// An option that takes one value was given more than once. The parser alone would silently take
/// the last value.
struct RepeatedOption: Error, Hashable, CustomStringConvertible {
  /// The option with its dashes.
  let option: String
  /// All of its values, in the command line's order.
  let values: [String]

  var description: String {
    let list = values.map { "\"\($0.showingControls)\"" }.joined(separator: " and ")
    return "\(option) is given \(values.count) times, with \(list), but takes one value: "
      + "leave out all but one"
  }

  /// Checks a command line that the parser has accepted.
  ///
  /// - Throws: ``RepeatedOption``.
  static func check(_ arguments: [String], of command: any ParsableCommand.Type) throws {
    let arguments = arguments.map(inLongForm)
    // Reading the declarations takes longer than most commands do.
    guard hasRepetition(arguments) else { return }
    let options = try GivenArguments(arguments, of: command).options
    let values = Dictionary(grouping: options, by: \.name).mapValues { $0.map(\.value) }
    // Of several repeated options, the first on the command line is reported.
    for option in options where !option.mayBeRepeated {
      if let values = values[option.name], values.count > 1 {
        throw RepeatedOption(option: option.name, values: values)
      }
    }
  }

  /// The options that have a short name.
  static let shortNames = ["-o": "--output"]

  private static func inLongForm(_ argument: String) -> String {
    let name = argument.prefix { $0 != "=" }
    return (shortNames[String(name)] ?? String(name)) + argument.dropFirst(name.count)
  }

  private static func hasRepetition(_ arguments: [String]) -> Bool {
    var seen: Set<Substring> = []
    return !arguments.allSatisfy { argument in
      !argument.hasPrefix("--") || seen.insert(argument.prefix { $0 != "=" }).inserted
    }
  }
}
