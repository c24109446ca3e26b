/// The error of a simulated scan that is chosen to fail.
package struct SimulatedFailure: Error, Hashable, CustomStringConvertible {
  /// One attempt in this many fails.
  package let every: Int

  package init(every: Int) {
    self.every = every
  }

  package var description: String {
    "simulated failure (" + (every == 1 ? "every attempt" : "one attempt in \(every)") + ")"
  }
}
