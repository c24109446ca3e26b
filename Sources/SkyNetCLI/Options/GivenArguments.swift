import ArgumentParser

/// The options and flags on a command line, as the parser reads them.
struct GivenArguments {
  struct Option: Hashable {
    /// With its dashes.
    let name: String
    let value: String
    let mayBeRepeated: Bool
  }

  /// In the command line's order.
  private(set) var options: [Option] = []
  private var names: [String] = []

  /// Reads a command line that the parser has accepted for this command.
  init(_ arguments: [String], of command: any ParsableCommand.Type) throws {
    let declared = try DeclaredArgument.options(of: command)
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      names.append(name)
      guard let option = declared[name] else { continue }
      let value: String?
      if parts.count > 1 {
        value = String(parts[1])
      } else if option.mayLackValue {
        value = rest.first?.hasPrefix("-") ?? true ? "" : rest.popFirst()
      } else {
        // The next argument is the option's value, even if it looks like another option.
        value = rest.popFirst()
      }
      guard let value else { return }
      options.append(Option(name: name, value: value, mayBeRepeated: option.isRepeating))
    }
  }

  /// The names of the given options and flags that belong to one of these groups, each once, in the
  /// command line's order.
  func names(of groups: [any ParsableArguments.Type]) throws -> [String] {
    var wanted = Set(try groups.flatMap { try DeclaredArgument.all(of: $0).flatMap(\.longNames) })
    return names.filter { wanted.remove($0) != nil }
  }
}
