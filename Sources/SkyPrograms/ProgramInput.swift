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
  /// `true` if the input is one column, also where it has tabs.
  package var isWhole: Bool?
  /// The files that the input names, as it names them: absolute, or from the run's folder on. A system that lacks one of
  /// them does not scan it.
  public var files: [String]?
  /// Variables of the engaging process that the program gets. They come with each input, as the settings are recorded
  /// in a journal, and there may be a secret among them.
  package var variables: [String: String]?
  /// Shows a node of this machine and account that the engagement is too; see `AccountDoor`.
  package var proof: AccountProof?
  /// Shows a system the run's folder. It comes with each input, as it differs from system to system.
  package var folder: FolderProof?

  public init(number: Int, text: String? = nil, files: [String] = []) {
    (self.number, self.text) = (number, text)
    self.files = files.isEmpty ? nil : files
  }

  /// What placeholders stand for.
  package var templateInput: TemplateInput {
    TemplateInput(text ?? "\(number)", place: place ?? number, isWhole: isWhole ?? false)
  }
}

extension ProgramInput: SizedValue {
  package var sizeBound: (json: Int, bulk: Int) {
    // A byte takes six at most, as an escape. What it has besides are numbers, and the path of a folder.
    var count = text?.utf8.count ?? 0
    for file in files ?? [] { count += file.utf8.count + 4 }
    for (name, value) in variables ?? [:] { count += name.utf8.count + value.utf8.count + 8 }
    return (6 * count + 65_536, 0)
  }
}

/// What a program wrote.
public struct ProgramOutput: Codable, Hashable, Sendable {
  /// Its standard output.
  public var output: BulkBytes
  /// The last 4096 bytes of its standard error, where the settings ask for them.
  public var errors: String?
  /// What may make it other than it is meant.
  package var remark: ProgramRemark?
  /// The watched files that are other versions on the system than on the engaging one.
  package var versions: OtherVersions?
  /// Is there, in place of the bytes, if a journal has kept the output and a file has them.
  package var kept: KeptOutput?

  public init(output: BulkBytes, errors: String? = nil) {
    (self.output, self.errors) = (output, errors)
  }
}

extension ProgramOutput: SizedValue {
  package var sizeBound: (json: Int, bulk: Int) {
    let others = versions == nil ? 0 : WireLimits().body
    return (6 * (errors?.utf8.count ?? 0) + 65_536 + others, output.bytes.count)
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
