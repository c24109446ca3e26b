/// What is wrong with a FITS file, and what to do about it.
public struct FITSError: Error, Hashable, CustomStringConvertible {
  /// The kinds of fault, for code; people read ``FITSError/description``.
  public enum Code: String, Hashable, Sendable {
    case notFound, notAFile, notReadable, notFITS, truncated, noImage, tooManyAxes, tooLarge
    case severalImages, noSuchExtension, invalidHeader, readFailed, readerEnded, writeFailed
  }

  public let code: Code
  public let path: String
  /// What is wrong, as the rest of a sentence that begins with the path.
  public let fault: String
  /// What the user can do next.
  public let nextStep: String

  public init(_ code: Code, path: String, fault: String, nextStep: String) {
    self.code = code
    self.path = path
    self.fault = fault
    self.nextStep = nextStep
  }

  public var description: String { "\(path): \(fault); \(nextStep)" }
}
