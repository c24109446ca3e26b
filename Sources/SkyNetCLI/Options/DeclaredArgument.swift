import ArgumentParser
import Foundation

/// One argument as a command declares it, in ArgumentParser's description for other tools.
struct DeclaredArgument: Decodable {
  struct Name: Decodable {
    let kind: String
    let name: String
  }

  private struct Tool: Decodable {
    struct Command: Decodable {
      let arguments: [DeclaredArgument]?
    }

    let command: Command
  }

  /// `option`, `flag` or `positional`.
  let kind: String
  let isRepeating: Bool
  let parsingStrategy: String
  let defaultValue: String?
  let names: [Name]?

  /// The arguments of a command, without those of its subcommands, or of a group of options.
  static func all(of type: any ParsableArguments.Type) throws -> [DeclaredArgument] {
    let tool = try JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8))
    return tool.command.arguments ?? []
  }

  /// Whether the option's value may be left out. The parser does not describe such options otherwise than by
  /// the value that they then have.
  var mayLackValue: Bool { defaultValue == ListenOption.loopback.description }

  /// The argument's long names, with dashes.
  var longNames: [String] {
    (names ?? []).filter { $0.kind == "long" }.map { "--\($0.name)" }
  }

  /// The options, by their long names with dashes.
  static func options(of command: any ParsableCommand.Type) throws -> [String: DeclaredArgument] {
    var options: [String: DeclaredArgument] = [:]
    for argument in try all(of: command) where argument.kind == "option" {
      for name in argument.longNames { options[name] = argument }
    }
    return options
  }
}
