import ArgumentParser

extension ExitCode {
  /// Some sectors failed.
  static let sectorsFailed = ExitCode(1)
  /// It could not run.
  static let couldNotRun = ExitCode(2)
  /// Ctrl-C.
  static let interrupted = ExitCode(130)
  /// SIGTERM, or a terminal that was closed.
  static let terminated = ExitCode(143)
}

/// Says why it could not run, and ends.
func fail(_ error: any Error) -> ExitCode {
  Console.standardError.line("error: \(error)")
  Console.standardError.flush()
  return .couldNotRun
}
