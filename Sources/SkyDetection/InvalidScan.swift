/// What a scan throws when it is asked for something that cannot be: a sector whose bytes are not
/// its pixels, a threshold that is not a number.
///
/// The task is at fault, not the system: another system will say the same.
public struct InvalidScan: Error, Hashable, CustomStringConvertible {
  /// What was wrong, with its value and what is allowed.
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
