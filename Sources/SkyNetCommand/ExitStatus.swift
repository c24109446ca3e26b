package import ArgumentParser
import Logging

extension ExitCode {
  /// Some sectors failed.
  package static let sectorsFailed = ExitCode(1)
  /// The scan of `skynet replay` threw, or brought another output than in the run.
  package static let replayDiffers = ExitCode(1)
  /// A system could not be drained.
  package static let notDrained = ExitCode(1)
  /// Fewer systems were found than `skynet systems --expect` asks for.
  package static let tooFewSystems = ExitCode(1)
  /// The command could not run.
  package static let couldNotRun = ExitCode(2)
  /// Ctrl-C.
  package static let interrupted = ExitCode(130)
  /// SIGTERM, or SIGHUP of a terminal that was closed.
  package static let terminated = ExitCode(143)
}

/// Prints why the command could not run, and returns the exit status for it.
package func fail(_ error: any Error) -> ExitCode { fail("\(error)") }

/// Prints this reason in place of an error's own text, and returns the exit status for it.
package func fail(_ reason: String) -> ExitCode {
  Console.standardError.line(reason, level: .error)
  Console.standardError.flush()
  return .couldNotRun
}

/// Does the same on this thread: there may be no room for another one.
package func failHere(_ shortage: any Error) -> ExitCode {
  Console.standardError.line("\(shortage)", level: .error)
  Console.standardError.flushHere()
  return .couldNotRun
}
