import ArgumentParser
import SkyFiles

/// A name for the files of many inputs, such as `out/{name}.csv`.
///
/// A placeholder in braces stands for what differs from one to the next; `{{` and `}}` stand for the braces themselves.
package struct BracePattern: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text(String)
    /// What stands between the braces.
    case placeholder(String)
  }

  /// The pattern as it was given.
  package let text: String
  package let parts: [Part]

  /// - Parameters:
  ///   - flag: the option that has the pattern, without its dashes.
  ///   - known: what the placeholders stand for, for people.
  ///   - isKnown: whether a text between braces is a placeholder.
  /// - Throws: `ValidationError` for an unknown placeholder, or a brace without its counterpart.
  package init(
    _ text: String, flag: String, known: String, isKnown: (Substring) -> Bool
  ) throws {
    self.text = text
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
      guard isKnown(rest[..<end]) else {
        throw ValidationError(
          "--\(flag) \(text): there is no {\(rest[..<end])}, but \(known); {{ and }} stand for the "
            + "braces themselves")
      }
      if !plain.isEmpty { parts.append(.text(plain)) }
      plain = ""
      parts.append(.placeholder(String(rest[..<end])))
      rest = rest[rest.index(after: end)...]
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
    self.parts = parts
  }

  /// Whether the name is the same for all.
  package var isFixed: Bool {
    parts.allSatisfy { part in if case .text = part { true } else { false } }
  }

  /// The pattern with `{name}` in place of the file's name, as an example of one that is not fixed.
  package var withName: String {
    let (folder, name) = SplitPath.split(text)
    let ending = name.lastIndex(of: ".").map { name[$0...] } ?? ""
    return (folder.map { $0 == "/" ? "/" : $0 + "/" } ?? "") + "{name}" + ending
  }
}
