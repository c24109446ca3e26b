import ArgumentParser
import SkyFiles
import SkyNetCommand

/// A name for the outputs of many images, such as `out/{name}_{ext}.csv`.
///
/// A placeholder in braces stands for what differs from image to image; `{{` and `}}` stand for the
/// braces themselves.
struct OutputPattern: Hashable, Sendable {
  enum Placeholder: String, CaseIterable, Sendable {
    /// The file's name without its folder, and without `.fits`, `.fit` or `.fts` and a following
    /// `.fz` or `.gz`, in any case.
    case name
    /// The extension's name or number. It is empty where the file has only one image; one separator
    /// beside it is left out then (see ``path(for:label:)``).
    case ext
    /// The file's folder as it was given; `.` if none was.
    case dir
  }

  private enum Part: Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  /// The pattern as it was given.
  let text: String
  private let parts: [Part]

  /// - Parameter flag: the option that has the pattern, without its dashes.
  /// - Throws: `ValidationError` for an unknown placeholder, or a brace without its counterpart.
  init(_ text: String, flag: String) throws {
    self.text = text
    parts = try Self.parts(of: text, flag: flag)
  }

  func has(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

  /// Whether the output's name is the same for every image.
  var isFixed: Bool {
    parts.allSatisfy { part in if case .text = part { true } else { false } }
  }

  /// Checks that several images can get different names.
  ///
  /// - Parameter flag: the option that has the pattern, without its dashes.
  /// - Throws: `ValidationError` if they cannot.
  func checkForSeveralImages(flag: String) throws {
    guard isFixed else { return }
    let (folder, name) = SplitPath.split(text)
    let ending = name.lastIndex(of: ".").map { name[$0...] } ?? ""
    let example = (folder.map { $0 == "/" ? "/" : $0 + "/" } ?? "") + "{name}" + ending
    throw ValidationError(
      "--\(flag) \(text) would get every image's output: put {name} into it, such as "
        + "--\(flag) '\(example)'")
  }

  /// The output's path for an image.
  ///
  /// Where `{ext}` is empty, the character before it is left out if it is one of `_`, `-`, `.`, `+`
  /// and space; at the beginning of a name, the character after it is left out if it is one of these
  /// or a slash. So `{name}_{ext}.csv` is `a.csv` for a file with one image, and `a_CCD2.csv` for an
  /// image of several.
  ///
  /// - Parameters:
  ///   - path: the image's file, without brackets.
  ///   - label: the extension's name or number, as ``ExtensionLabels`` makes it; `nil` or empty where
  ///     the file has only one image.
  func path(for path: String, label: String? = nil) -> String {
    var result = ""
    var leavesOutNext = false
    for part in parts {
      switch part {
      case .text(var text):
        if leavesOutNext, let first = text.first, Self.separators.contains(first) || first == "/" {
          text.removeFirst()
        }
        result += text
        leavesOutNext = false
      case .placeholder(.name):
        result += Self.name(of: path)
        leavesOutNext = false
      case .placeholder(.dir):
        result += SplitPath.split(path).folder ?? "."
        leavesOutNext = false
      case .placeholder(.ext):
        if let label, !label.isEmpty {
          result += label
          leavesOutNext = false
        } else if result.isEmpty || result.hasSuffix("/") {
          leavesOutNext = true
        } else if let last = result.last, Self.separators.contains(last) {
          result.removeLast()
        }
      }
    }
    return result
  }

  private static let separators: Set<Character> = ["_", "-", ".", "+", " "]
}

extension OutputPattern {
  private static func parts(of text: String, flag: String) throws -> [Part] {
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "{" || character == "}" else {
        plain.append(character)
        continue
      }
      if rest.first == character {
        plain.append(rest.removeFirst())
        continue
      }
      guard character == "{", let end = rest.firstIndex(of: "}") else {
        let fault = character == "{" ? "a { without a }" : "a } without a {"
        throw ValidationError(
          "--\(flag) \(text) has \(fault): \(known); {{ and }} stand for the braces themselves")
      }
      guard let placeholder = Placeholder(rawValue: String(rest[..<end])) else {
        throw ValidationError(
          "--\(flag) \(text): there is no {\(rest[..<end])}, but \(known); {{ and }} stand for the "
            + "braces themselves")
      }
      rest = rest[rest.index(after: end)...]
      if !plain.isEmpty { parts.append(.text(plain)) }
      plain = ""
      parts.append(.placeholder(placeholder))
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
    return parts
  }

  private static let known =
    "{name} is the image's name, {ext} its extension and {dir} its folder"

  /// The file's name without its folder and endings. A name that consists of endings is left as it
  /// is.
  static func name(of path: String) -> String {
    let name = SplitPath.split(path).name
    var bytes = name.utf8[...]
    if [".fz", ".gz"].contains(where: { ends(bytes, in: $0) }) { bytes = bytes.dropLast(3) }
    for ending in [".fits", ".fit", ".fts"] where ends(bytes, in: ending) {
      let rest = bytes.dropLast(ending.utf8.count)
      return rest.isEmpty ? String(name) : String(Substring(rest))
    }
    return String(name)
  }

  /// Whether the text ends in an ending of lower-case ASCII, in any case.
  private static func ends(_ text: Substring.UTF8View, in ending: String) -> Bool {
    text.count >= ending.utf8.count
      && zip(text.suffix(ending.utf8.count), ending.utf8).allSatisfy { byte, lower in
        (65...90).contains(byte) ? byte | 0x20 == lower : byte == lower
      }
  }
}
