package import SkyNetCore

/// A program and its arguments, with placeholders for the input as GNU parallel has them.
///
/// | placeholder | stands for |
/// |---|---|
/// | `{}` | the input |
/// | `{/}` | its file's name, without the folder |
/// | `{//}` | its folder; `.` if it names none |
/// | `{.}` | the input without its extension |
/// | `{/.}` | its file's name without its extension |
/// | `{#}` | how many inputs there are up to this one, itself included |
/// | `{1}` | its first column, where tabs stand between columns; also `{1/}`, `{1//}`, `{1.}`, `{1/.}` |
///
/// Everything else in braces stays as it is. What takes a placeholder's place is not looked at again, and is never split:
/// a word stays one argument, whatever the input has in it.
package struct ProgramTemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    case placeholder(ProgramPlaceholder)
  }

  private let words: [[Part]]
  /// Whether the input takes a place in the words.
  package let hasPlaceholders: Bool
  /// Whether the input's place takes one of them.
  package let tellsPlace: Bool

  package init(_ words: [String]) {
    self.words = words.map { Self.parts(of: $0) }
    let placeholders = self.words.joined().compactMap {
      if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
    }
    hasPlaceholders = !placeholders.isEmpty
    tellsPlace = placeholders.contains { $0.form == nil }
  }

  /// The most bytes of all words: more than any system gives a program.
  private static let mostBytes = 32 << 20

  /// The words with an input in them.
  ///
  /// - Throws: `UnmendableFailure` if the input has not as many columns as the words ask for, or would make them longer
  ///   than any program may have them.
  package func words(for input: TemplateInput) throws(UnmendableFailure) -> [String] {
    var columns: [Substring]?
    // So few that a search is quicker than a hash.
    var values: [(of: ProgramPlaceholder, text: String)] = []
    var expanded: [String] = []
    var room = Self.mostBytes
    for word in words {
      var text = ""
      for part in word {
        let piece: String
        switch part {
        case .text(let plain): piece = plain
        case .placeholder(let placeholder):
          if let known = values.first(where: { $0.of == placeholder }) {
            piece = known.text
          } else {
            piece = try placeholder.value(of: input, &columns)
            values.append((placeholder, piece))
          }
        }
        room -= piece.utf8.count
        guard room >= 0 else {
          throw UnmendableFailure(
            "with the input in it, the command line has more than \(Self.mostBytes >> 20) MiB: give long input on standard "
              + "input (--stdin)")
        }
        text += piece
      }
      expanded.append(text)
    }
    return expanded
  }

  static func parts(of word: String) -> [Part] {
    var parts: [Part] = []
    var plain = ""
    var rest = word[...]
    while let brace = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      plain += rest[..<brace]
      rest = rest[brace...]
      if let (placeholder, end) = ProgramPlaceholder.first(in: rest) {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.placeholder(placeholder))
        rest = rest[end...]
      } else {
        plain.append("{")
        rest = rest[rest.utf8.index(after: brace)...]
      }
    }
    plain += rest
    if !plain.isEmpty { parts.append(.text(plain)) }
    return parts
  }
}

/// What placeholders stand for.
package struct TemplateInput: Hashable, Sendable {
  package var text: String
  /// The input's place among all inputs, from 0.
  package var place: Int
  /// Whether the input is one column, whatever it has in it.
  package var isWhole: Bool

  package init(_ text: String, place: Int, isWhole: Bool = false) {
    (self.text, self.place, self.isWhole) = (text, place, isWhole)
  }

  /// Its columns, of which there is at least one.
  package var columns: [Substring] {
    isWhole ? [text[...]] : text.split(separator: "\t", omittingEmptySubsequences: false)
  }
}
