package import SkyNetCore

/// A part of a word that stands for the input, or for a part of it.
package struct ProgramPlaceholder: Hashable, Sendable {
  enum Form: String, CaseIterable {
    case whole = ""
    case name = "/"
    case folder = "//"
    case stem = "."
    case nameStem = "/."
  }

  /// `nil` for `{#}`.
  let form: Form?
  /// The column that is meant, from 1; `nil` if the whole input is.
  var column: Int?

  /// The placeholder with which a text begins, and where it ends; `nil` if it begins with none.
  package static func first(in text: Substring) -> (ProgramPlaceholder, end: String.Index)? {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "{"),
      let close = bytes.prefix(16).firstIndex(of: UInt8(ascii: "}")),
      let placeholder = ProgramPlaceholder(
        named: text[bytes.index(after: bytes.startIndex)..<close])
    else { return nil }
    return (placeholder, bytes.index(after: close))
  }

  /// - Parameter name: the text between the braces.
  package init?(named name: Substring) {
    if name == "#" {
      (form, column) = (nil, nil)
      return
    }
    let digits = name.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let form = Form(rawValue: String(name[digits.endIndex...])) else { return nil }
    self.form = form
    guard !digits.isEmpty else { return }
    guard let column = Int(Substring(digits)), column > 0 else { return nil }
    self.column = column
  }

  /// - Parameter columns: the input's columns, once they were looked for.
  /// - Throws: `UnmendableFailure` if the input lacks the column.
  package func value(
    of input: TemplateInput, _ columns: inout [Substring]?
  ) throws(UnmendableFailure) -> String {
    // A place may come from anywhere.
    guard let form else { return "\(input.place &+ 1)" }
    guard let column else { return form.value(of: input.text[...]) }
    let found = columns ?? input.columns
    columns = found
    guard column <= found.count else {
      throw UnmendableFailure(
        "{\(column)\(form.rawValue)} is column \(column), and the input has \(found.count): "
          + (input.isWhole ? "--null cuts none" : "columns stand apart by tabs"))
    }
    return form.value(of: found[column - 1])
  }
}

extension ProgramPlaceholder.Form {
  func value(of text: Substring) -> String {
    switch self {
    case .whole: String(text)
    case .name: String(Self.name(of: text))
    case .folder: Self.folder(of: text)
    case .stem: String(Self.stem(of: text))
    case .nameStem: String(Self.stem(of: Self.name(of: text)))
    }
  }

  private static let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))

  private static func name(of text: Substring) -> Substring {
    let bytes = text.utf8
    return bytes.lastIndex(of: slash).map { text[bytes.index(after: $0)...] } ?? text
  }

  /// Without the last dot and what follows it, unless a slash does.
  private static func stem(of text: Substring) -> Substring {
    let bytes = text.utf8
    guard let end = bytes.lastIndex(where: { $0 == slash || $0 == dot }), bytes[end] == dot else {
      return text
    }
    return text[..<end]
  }

  /// As dirname(1): slashes at the end are no part of the name.
  private static func folder(of text: Substring) -> String {
    func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
      bytes.lastIndex { $0 != slash }.map { bytes[...$0] } ?? bytes.prefix(0)
    }
    let named = trimmed(text.utf8)
    guard !named.isEmpty else { return text.utf8.first == slash ? "/" : "." }
    guard let end = named.lastIndex(of: slash) else { return "." }
    let folder = trimmed(named[..<end])
    return folder.isEmpty ? "/" : String(Substring(folder))
  }
}
