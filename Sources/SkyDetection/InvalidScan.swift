/// A scan was asked for something that cannot be: a threshold that is not a number, an image whose
/// size is not that of its pixels, a sector whose bytes are not its pixels.
///
/// The caller or its task is at fault: another machine would throw the same.
public struct InvalidScan: Error, Hashable, CustomStringConvertible {
  /// What was wrong, with its value and what is allowed.
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
