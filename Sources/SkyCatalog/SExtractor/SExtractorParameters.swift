/// The columns that SExtractor's list of them asks for (the SExtractor manual, "Catalog parameters
/// file"): one a line, with the sizes of a vector in parentheses or brackets. Lines that begin with
/// # are comments.
public struct SExtractorParameters: Hashable, Sendable {
  /// A column.
  public struct Column: Hashable, Sendable, CustomStringConvertible {
    /// SExtractor's name for it, as it is written.
    public let name: String
    /// The sizes of a vector, the first fastest; none, if the list does not say any.
    public let sizes: [Int]
    /// Its line in the file, from 1.
    public let line: Int

    public init(name: String, sizes: [Int] = [], line: Int) {
      self.name = name
      self.sizes = sizes
      self.line = line
    }

    /// As it is written.
    public var description: String {
      sizes.isEmpty ? name : "\(name)(\(sizes.map(String.init).joined(separator: ",")))"
    }
  }

  /// In the list's order, each once.
  public let columns: [Column]

  /// Their names.
  public var names: [String] { columns.map(\.name) }

  /// Reads the text of such a list.
  ///
  /// SExtractor overlooks what follows a name in its line; unless it is a comment, here it is a
  /// fault, and so is a list without a column, of which SExtractor makes an empty catalogue. Whether
  /// there is a column of that name is not looked at.
  ///
  /// - Parameter file: its name, for what is said of it.
  /// - Throws: ``SExtractorFileError`` if a line is more than a name and sizes of 1 or more, or there
  ///   is no column.
  public init(text: String, file: String) throws {
    var columns: [Column] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (offset, line) in lines.enumerated() {
      let written = line.prefix { $0 != "#" }.trimmed
      guard !written.isEmpty else { continue }
      guard let column = Column(written, line: offset + 1) else {
        throw SExtractorFileError(
          .invalidColumn, file: file, line: offset + 1,
          fault: "\(FileWord.quoted(written, or: "the line")) is no column",
          nextStep: "one name a line is needed, for a vector with its size: FLUX_APER(3)")
      }
      if !columns.contains(where: { $0.name == column.name }) { columns.append(column) }
    }
    guard !columns.isEmpty else {
      throw SExtractorFileError(
        .invalidColumn, file: file, fault: "there is no column in the list",
        nextStep: "name the columns that are wanted, one a line")
    }
    self.columns = columns
  }
}

extension SExtractorParameters.Column {
  /// - Parameter written: without comment and space around it.
  fileprivate init?(_ written: Substring, line: Int) {
    let name = written.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard let first = name.first, first.isLetter else { return nil }
    var sizes: [Int] = []
    let rest = written.dropFirst(name.count)
    if let opening = rest.first {
      guard let closing = ["(": ")", "[": "]"][String(opening)], rest.hasSuffix(closing) else {
        return nil
      }
      let fields = rest.dropFirst().dropLast()
        .split(separator: ",", omittingEmptySubsequences: false)
      sizes = fields.compactMap { Int($0.trimmed) }.filter { $0 >= 1 }
      guard sizes.count == fields.count else { return nil }
    }
    self.init(name: String(name), sizes: sizes, line: line)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...end]
  }
}
