import ArgumentParser

@testable import SkyNetCLI

extension SkyNet {
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
