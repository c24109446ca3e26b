/// What a simulated scan throws when it is its turn to fail.
public struct SimulatedFailure: Error, Hashable, CustomStringConvertible {
  /// One attempt in so many fails.
  public let every: Int

  public init(every: Int) {
    self.every = every
  }

  public var description: String {
    "simulated failure (" + (every == 1 ? "every attempt" : "one attempt in \(every)") + ")"
  }
}
