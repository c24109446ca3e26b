/// What is wrong with one of SExtractor's own files, where, and what to do about it.
public struct SExtractorFileError: Error, Hashable, CustomStringConvertible {
  /// The kinds of fault, for code; people read ``SExtractorFileError/description``.
  public enum Code: Hashable, Sendable {
    case notReadable, unknownKeyword, missingValue, invalidValue, invalidColumn, invalidKernel
    case unsupported
  }

  public let code: Code
  public let file: String
  /// From 1; none, if the fault is the whole file's.
  public let line: Int?
  /// What is wrong.
  public let fault: String
  /// What is needed, or what the user can do next.
  public let nextStep: String

  public init(_ code: Code, file: String, line: Int? = nil, fault: String, nextStep: String) {
    self.code = code
    self.file = file
    self.line = line
    self.fault = fault
    self.nextStep = nextStep
  }

  public var description: String {
    "\(file):\(line.map { "\($0):" } ?? "") \(fault); \(nextStep)"
  }
}
