/// Which attempt at a sector a scan is, for a scan that wants to know: to log it, or to fail on
/// purpose.
public struct ScanAttempt: Hashable, Sendable {
  /// Which try it is: 1, and one more for each attempt at the sector that failed before. An attempt
  /// that was lost with its system, handed back or called back is tried again under its own number,
  /// so that what follows from the number does not depend on which systems come and go. `nil` if the
  /// coordinator does not tell, as earlier versions of SkyNet do not.
  public var number: Int?
  /// Whether another system is at the same sector under the same number, and has not ended.
  public var isHedge: Bool

  /// - Parameter number: 1 or more.
  public init(number: Int? = 1, isHedge: Bool = false) {
    self.number = number
    self.isHedge = isHedge
  }
}
