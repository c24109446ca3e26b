/// The attempt at a sector that a scan runs for. A scan may log it, or fail on purpose by it.
public struct ScanAttempt: Hashable, Sendable {
  /// The number of the try: 1, and one more for each attempt at the sector that failed before. An
  /// attempt that was lost with its system, handed back or called back is tried again under its own
  /// number. So what follows from the number does not depend on which systems come and go.
  public var number: Int
  /// Whether another system runs the same sector under the same number, and has not ended.
  public var isHedge: Bool

  /// - Parameters:
  ///   - number: 1 or more.
  ///   - isHedge: whether another system runs the same sector under the same number.
  public init(number: Int = 1, isHedge: Bool = false) {
    self.number = number
    self.isHedge = isHedge
  }
}
