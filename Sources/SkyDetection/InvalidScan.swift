/// A request that no scan can carry out: for example, a threshold that is not a number, an image
/// whose size does not match its pixels, or a sector whose bytes are not its pixels.
///
/// The caller or its task is at fault: any other machine would throw the same error.
public struct InvalidScan: Error, Hashable, CustomStringConvertible {
  /// The fault, with the wrong value and the values that are allowed.
  public let description: String

  /// - Parameter description: the fault, with the wrong value and the values that are allowed.
  public init(_ description: String) {
    self.description = description
  }
}
