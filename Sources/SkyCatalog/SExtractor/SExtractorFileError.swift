/// A fault in one of SExtractor's own files, with its place and advice for the user.
public struct SExtractorFileError: Error, Hashable, CustomStringConvertible {
  /// The kinds of fault, for programs; ``SExtractorFileError/description`` is for people.
  public enum Code: Hashable, Sendable {
    case notReadable, unknownKeyword, missingValue, invalidValue, invalidColumn, invalidKernel
    case invalidNetwork, unsupported
  }

  /// The kind of the fault.
  public let code: Code
  /// The file's path.
  public let file: String
  /// The line, from 1; `nil` if the fault concerns the whole file.
  public let line: Int?
  /// The fault.
  public let fault: String
  /// The content that SkyNet needs there, or the user's next step.
  public let nextStep: String
  /// Faults that were found together with this one.
  public private(set) var others: [SExtractorFileError] = []

  public init(_ code: Code, file: String, line: Int? = nil, fault: String, nextStep: String) {
    self.code = code
    self.file = file
    self.line = line
    self.fault = fault
    self.nextStep = nextStep
  }

  public var description: String {
    (["\(file):\(line.map { "\($0):" } ?? "") \(fault); \(nextStep)"] + others.map(\.description))
      .joined(separator: "; ")
  }

  /// - Throws: ``SExtractorFileError`` with all faults if there are any.
  static func check(_ faults: [SExtractorFileError]) throws(SExtractorFileError) {
    guard var first = faults.first else { return }
    first.others += faults.dropFirst()
    throw first
  }
}
