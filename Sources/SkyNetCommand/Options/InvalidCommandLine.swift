import ArgumentParser

/// A command line that the parser accepts and that is wrong nevertheless. The message has the form
/// of the parser's own.
struct InvalidCommandLine: Error {
  let fault: String
  /// The command that the command line asks for.
  let command: any ParsableCommand.Type

  /// The fault, the command's usage, and the hint at `--help`.
  func lines(in root: any ParsableCommand.Type) -> [String] {
    let path = Self.path(to: command, from: root) ?? root.name
    return [
      "error: \(fault)", "Usage: \(root.usageString(for: command))",
      "  See '\(path) --help' for more information.",
    ]
  }

  /// The words that lead from one command to another; `nil` if none do.
  private static func path(
    to command: any ParsableCommand.Type, from root: any ParsableCommand.Type
  ) -> String? {
    if root == command { return root.name }
    let rest = root.configuration.subcommands.lazy.compactMap { path(to: command, from: $0) }.first
    return rest.map { "\(root.name) \($0)" }
  }
}

extension ParsableCommand {
  /// What is typed for the command.
  static var name: String { configuration.commandName ?? "" }
}
