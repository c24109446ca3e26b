package import ArgumentParser

/// Signals stopped a run.
package struct RunStopped: Error, CustomStringConvertible {
  /// The exit status for it.
  package let status: ExitCode

  package var description: String { "stopped" }
}
