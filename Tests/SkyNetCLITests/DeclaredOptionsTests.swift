import ArgumentParser
import Testing

@testable import SkyNetCLI
@testable import SkyNetCommand

@Suite("The options that a command declares")
struct DeclaredOptionsTests {
  /// The names of the options in a help, which is the parser's.
  private func names(in help: String) -> Set<String> {
    Set(help.matches(of: /(?m)^  (?:-[a-z], )?(--[a-z-]+)/).map { String($0.output.1) })
      .subtracting(["--help", "--version"])
  }

  /// Those that the help has with a placeholder.
  private func withValue(in help: String) -> Set<String> {
    Set(help.matches(of: /(?m)^  (?:-[a-z], )?(--[a-z-]+) \[?</).map { String($0.output.1) })
  }

  @Test("They are those in the help of every command, and their short names are known")
  func allCommands() {
    var commands: [any ParsableCommand.Type] = []
    for line in [
      ["engage", "--image", "x"], ["engage", "--total", "1"], ["engage", "--", "x"],
      ["engage", "-h"],
      ["--generate-completion-script"],
    ] {
      commands += SkyNet.root(for: line).configuration.subcommands
    }
    while let command = commands.popLast() {
      commands += command.configuration.subcommands
      #expect(command.configuration.commandName != nil, "\(command)")
      let help = command.helpMessage(includeHidden: true)
      let declared = DeclaredOptions(of: command)
      #expect(declared.names == names(in: help), "\(command)")
      #expect(declared.withValue == withValue(in: help), "\(command)")
      #expect(declared.singleValued.isSubset(of: declared.withValue), "\(command)")
      for short in help.matches(of: /(?m)^  (-[a-z]), (--[a-z-]+)/) where short.output.1 != "-h" {
        #expect(GivenOption.longNames[String(short.output.1)] == String(short.output.2))
      }
    }
  }
}
