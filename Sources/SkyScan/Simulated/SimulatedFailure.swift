/// What a simulated scan throws when it is its turn to fail.
public struct SimulatedFailure: Error, Hashable, CustomStringConvertible {
  /// Every how many calls one fails.
  public let every: Int

  public init(every: Int) {
    self.every = every
  }

  public var description: String {
    every == 1
      ? "simulated failure (every call)" : "simulated failure (every \(every)\(ordinal) call)"
  }

  private var ordinal: String {
    switch (every % 10, every % 100) {
    case (_, 11...13): "th"
    case (1, _): "st"
    case (2, _): "nd"
    case (3, _): "rd"
    default: "th"
    }
  }
}
