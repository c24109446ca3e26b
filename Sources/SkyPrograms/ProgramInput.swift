package import SkyFiles
public import SkyNetCore

/// One input of a program: the sector of such a run.
public struct ProgramInput: Codable, Hashable, Sendable {
  /// The sector's number, from 0.
  public var number: Int
  /// The input's place among all inputs, from 0, if it is not the sector's number.
  public var place: Int?
  /// The input; `nil` if it is the number.
  public var text: String?
  /// The absolute paths of the files that the input names. A system that lacks one of them does not scan it.
  public var files: [String]?
  /// Variables of the engaging process that the program gets. They come with each input, as the settings are recorded
  /// in a journal, and there may be a secret among them.
  package var variables: [String: String]?
  /// Shows a node of this machine and account that the engagement is too; see `AccountDoor`.
  package var proof: AccountProof?

  public init(number: Int, text: String? = nil, files: [String] = []) {
    (self.number, self.text) = (number, text)
    self.files = files.isEmpty ? nil : files
  }

  /// What placeholders stand for.
  package var templateInput: TemplateInput {
    TemplateInput(text ?? "\(number)", place: place ?? number)
  }
}

/// What a program wrote.
public struct ProgramOutput: Codable, Hashable, Sendable {
  /// Its standard output.
  public var output: BulkBytes
  /// The last 4096 bytes of its standard error, where the settings ask for them.
  public var errors: String?

  public init(output: BulkBytes, errors: String? = nil) {
    (self.output, self.errors) = (output, errors)
  }
}

extension ProgramOutput: CustomStringConvertible {
  /// The beginning of the standard output, as text.
  public var description: String {
    let shown = output.bytes.prefix(1000)
    return String(decoding: shown, as: UTF8.self)
      + (shown.count < output.bytes.count ? "… (\(output.bytes.count) bytes)" : "")
  }
}
