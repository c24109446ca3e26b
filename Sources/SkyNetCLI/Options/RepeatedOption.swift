import ArgumentParser
import Foundation

/// An option that takes one value was given more than once. The parser would take the last, in
/// silence.
struct RepeatedOption: Error, Hashable, CustomStringConvertible {
  /// With its dashes.
  let option: String
  /// All that it was given, in their order.
  let values: [String]

  var description: String {
    let list = values.map { "\"\($0.showingControls)\"" }.joined(separator: " and ")
    return "\(option) is given \(values.count) times, with \(list), but takes one value: "
      + "leave out all but one"
  }

  /// Checks a command line that the command has taken. Which options there are, and which of them may
  /// be repeated, is the command's own declaration.
  ///
  /// - Throws: ``RepeatedOption``.
  static func check(_ arguments: [String], of command: any ParsableCommand.Type) throws {
    // Reading the declarations takes longer than most commands do.
    guard hasRepetition(arguments) else { return }
    let options = try DeclaredArgument.options(of: command)
    var given: [String: [String]] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard options[name] != nil else { continue }
      // What follows is its value, even if it looks like another option.
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else { return }
      given[name, default: []].append(value)
    }
    // The first of them, as people read.
    for argument in arguments {
      let name = String(argument.prefix { $0 != "=" })
      if options[name] == false, let values = given[name], values.count > 1 {
        throw RepeatedOption(option: name, values: values)
      }
    }
  }

  private static func hasRepetition(_ arguments: [String]) -> Bool {
    var seen: Set<Substring> = []
    return !arguments.allSatisfy { argument in
      !argument.hasPrefix("--") || seen.insert(argument.prefix { $0 != "=" }).inserted
    }
  }
}
