import SkyDetection

/// SExtractor's list of the catalogue's columns (the SExtractor manual, "Catalog parameters file").
/// It has one column per line, with the sizes of a vector in parentheses, brackets or braces. The
/// rest of a line is a comment, with # before it or not. Lines that begin with # are comments.
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
  /// SExtractor ignores the rest of a line after the name, also if it is another column. Here, such
  /// a line is a fault, and so is, as in SExtractor, a comment without # after FLUX_APER, whose size
  /// could be meant. A list without a column is a fault too; SExtractor would make an empty
  /// catalogue of it. The names themselves are not checked.
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

extension SExtractorParameters {
  /// The columns that exist here, in the list's order, with the sizes of vectors.
  package var served: [SkyCatalog.Column] { columns.compactMap(\.served) }

  /// The names of the other columns, or their lines if a message may not quote them.
  package var unserved: [String] {
    columns.filter { $0.served == nil }
      .map { FileWord.quotable($0.name) ?? "line \($0.line)" }
  }

  /// The column that asks for the most fluxes in circles, with its size; `nil` if there is none.
  /// Without a size it is one value, as in SExtractor.
  package var apertureColumn: SkyCatalog.Column? { largest(.apertures) }

  /// The number of those fluxes.
  package var apertureCount: Int? { apertureColumn?.size }

  /// The number of values that the list asks for in FLUX_RADIUS; `nil` if it does not ask for that
  /// column.
  package var fractionCount: Int? { largest(.fluxFractions)?.size }

  private func largest(_ vector: SkyCatalog.Column.Needs) -> SkyCatalog.Column? {
    served.filter { $0.needs.isSuperset(of: vector) }.max { ($0.size ?? 0) < ($1.size ?? 0) }
  }
}

extension SExtractorParameters.Column {
  /// The column that is served, with its size; `nil` if it does not exist here.
  fileprivate var served: SkyCatalog.Column? {
    guard var column = SkyCatalog.Column(rawValue: name.uppercased()) else { return nil }
    if column.isVector { column.size = sizes.first ?? 1 }
    if column.isStamp { column.stamp = stamp }
    return column
  }

  private static let closings: [Character: Character] = ["(": ")", "[": "]", "{": "}"]

  /// - Parameter written: the line's text without its comment after # and surrounding spaces.
  fileprivate init?(_ written: Substring, line: Int) {
    let name = written.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard let first = name.first, first.isLetter else { return nil }
    let column = SkyCatalog.Column(rawValue: name.uppercased())
    let isStamp = column?.isStamp == true
    let isVector = column?.isVector == true || isStamp
    var sizes: [Int] = []
    let rest = written.dropFirst(name.count)
    if let opening = rest.first, let closing = Self.closings[opening] {
      guard rest.last == closing else { return nil }
      let fields = rest.dropFirst().dropLast()
        .split(separator: ",", omittingEmptySubsequences: false)
      sizes = fields.compactMap { Int($0.trimmed) }.filter { $0 >= 1 }
      guard sizes.count == fields.count, !isVector || sizes.count <= (isStamp ? 2 : 1) else {
        return nil
      }
    } else if let next = rest.first {
      guard next.isWhitespace, !isVector, !Self.isColumn(rest.trimmed) else { return nil }
    }
    self.init(name: String(name), sizes: sizes, line: line)
  }

  /// Whether a comment's first word looks like another column.
  private static func isColumn(_ comment: Substring) -> Bool {
    let word = comment.prefix { !$0.isWhitespace }
    let name = word.prefix { $0 != "(" && $0 != "[" && $0 != "{" }
    return SkyCatalog.Column(rawValue: String(name)) != nil
      || name.contains("_") && FileWord.quotable(name) != nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...end]
  }
}

extension SkyCatalog.Column {
  /// The column of stamps whose size stands behind its name, as in a list: VIGNET(35,35).
  ///
  /// - Throws: `InvalidScan` if it is too large.
  package init?(stamp text: String) throws {
    guard let listed = SExtractorParameters.Column(text[...], line: 1), let column = listed.served,
      column.isStamp
    else { return nil }
    try column.stamp?.check()
    self = column
  }
}
