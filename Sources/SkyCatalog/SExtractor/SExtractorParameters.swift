/// SExtractor's list of the catalogue's columns (the SExtractor manual, "Catalog parameters file").
/// It has one column per line, with the sizes of a vector in parentheses or brackets. Lines that
/// begin with # are comments.
public struct SExtractorParameters: Hashable, Sendable {
  /// A column of the list.
  public struct Column: Hashable, Sendable, CustomStringConvertible {
    /// SExtractor's name for the column, as the file spells it.
    public let name: String
    /// The sizes of a vector, beginning with the fastest axis; empty if the list has none.
    public let sizes: [Int]
    /// The column's line in the file, from 1.
    public let line: Int

    public init(name: String, sizes: [Int] = [], line: Int) {
      self.name = name
      self.sizes = sizes
      self.line = line
    }

    /// The column as SExtractor would write it.
    public var description: String {
      sizes.isEmpty ? name : "\(name)(\(sizes.map(String.init).joined(separator: ",")))"
    }
  }

  /// The columns in the list's order, each once.
  public let columns: [Column]

  /// The columns' names.
  public var names: [String] { columns.map(\.name) }

  /// Reads the text of a list.
  ///
  /// SExtractor ignores the rest of a line after the name. Here, a rest that is not a comment is a
  /// fault. A list without a column is a fault too; SExtractor would make an empty catalogue of it.
  /// The names themselves are not checked.
  ///
  /// - Parameters:
  ///   - text: the file's text.
  ///   - file: the file's name in errors.
  /// - Throws: ``SExtractorFileError`` if a line is more than a name and sizes of 1 or more, or the
  ///   list has no column.
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
  /// - Parameter written: the line's text without its comment and surrounding spaces.
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
