/// An error about a FITS file, with advice for the user.
public struct FITSError: Error, Hashable, CustomStringConvertible {
  /// The kinds of fault, for programs; ``FITSError/description`` is for people.
  public enum Code: String, Hashable, Sendable {
    case notFound, notAFile, notReadable, notFITS, truncated, noImage, tooLarge
    case severalImages, noSuchExtension, invalidHeader, readFailed, readerEnded, writeFailed
  }

  /// The kind of the fault.
  public let code: Code
  /// The file's path.
  public let path: String
  /// The fault, as the rest of a sentence that begins with the path.
  public let fault: String
  /// The user's next step.
  public let nextStep: String

  public init(_ code: Code, path: String, fault: String, nextStep: String) {
    self.code = code
    self.path = path
    self.fault = fault
    self.nextStep = nextStep
  }

  public var description: String { "\(path): \(fault); \(nextStep)" }
}
