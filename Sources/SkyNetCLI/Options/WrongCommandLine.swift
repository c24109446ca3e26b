import ArgumentParser

/// A command line that the parser has taken and that is wrong all the same. It is told as the parser
/// tells of those that it refuses.
struct WrongCommandLine: Error {
  let fault: String
  /// The command that it asks for.
  let command: any ParsableCommand.Type

  /// The fault, how the command is used, and where more is said.
  var lines: [String] {
    let path = Self.path(to: command, from: SkyNet.self) ?? SkyNet._commandName
    return [
      "Error: \(fault)", "Usage: \(SkyNet.usageString(for: command))",
      "  See '\(path) --help' for more information.",
    ]
  }

  /// The words that lead from one command to another; `nil` if none do.
  private static func path(
    to command: any ParsableCommand.Type, from root: any ParsableCommand.Type
  ) -> String? {
    if root == command { return root._commandName }
    let rest = root.configuration.subcommands.lazy.compactMap { path(to: command, from: $0) }.first
    return rest.map { "\(root._commandName) \($0)" }
  }
}
