import ArgumentParser

@testable import SkyNetCLI
@testable import SkyNetCommand

extension SkyNet {
  /// The command that a command line asks for.
  static func command(_ arguments: [String]) async throws -> any ParsableCommand {
    Program.become(Self.self)
    return try await Program.command(arguments)
  }

  static func root(for arguments: [String]) -> any AsyncParsableCommand.Type {
    Program.become(Self.self)
    return Program.root(for: arguments)
  }

  /// What is printed of an error of the command line.
  static func text(of error: any Error) -> String {
    (error as? InvalidCommandLine)?.fault ?? root(for: []).fullMessage(for: error)
  }

  /// The exit status for an error of the command line.
  static func status(of error: any Error) -> Int32 {
    error is InvalidCommandLine
      ? ExitCode.validationFailure.rawValue : root(for: []).exitCode(for: error).rawValue
  }
}
