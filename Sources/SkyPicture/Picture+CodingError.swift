extension Picture {
  /// An error of libpng, with advice for the user.
  public struct CodingError: Error, Hashable, CustomStringConvertible {
    /// The fault.
    public let fault: String
    /// The user's next step.
    public let nextStep: String

    package init(fault: String, nextStep: String) {
      self.fault = fault
      self.nextStep = nextStep
    }

    public var description: String { "\(fault); \(nextStep)" }
  }
}
