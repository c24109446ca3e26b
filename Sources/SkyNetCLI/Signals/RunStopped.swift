import ArgumentParser

/// Signals stopped a run.
struct RunStopped: Error, CustomStringConvertible {
  /// The exit status for it.
  let status: ExitCode

  var description: String { "stopped" }
}
