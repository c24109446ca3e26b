/// Why a picture cannot be made, and what to do about it.
public struct PictureError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let fault: String
  /// What the user can do next.
  public let nextStep: String

  public init(fault: String, nextStep: String) {
    self.fault = fault
    self.nextStep = nextStep
  }

  public var description: String { "\(fault); \(nextStep)" }
}
