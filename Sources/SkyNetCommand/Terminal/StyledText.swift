/// How a part of a line is shown where there are colours. Lines say the same without them.
enum Style: Hashable, Sendable {
  case plain
  case good, doubtful, bad
  case faint

  /// The parameter of the control sequence that begins the style (ECMA-48, SGR). These are the terminal's own
  /// colours, which its user has chosen for its background.
  var parameter: String? {
    switch self {
    case .plain: nil
    case .good: "32"
    case .doubtful: "33"
    case .bad: "31"
    case .faint: "2"
    }
  }
}

/// A line in parts, each with its style.
struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
  struct Part: Hashable, Sendable {
    var text: String
    var style: Style
  }

  private(set) var parts: [Part]

  /// Control characters in the text, which peers may have chosen, are shown as escapes.
  init(_ text: String, _ style: Style = .plain) {
    parts = text.isEmpty ? [] : [Part(text: text.showingControls, style: style)]
  }

  init(stringLiteral text: String) { self.init(text) }

  /// A line with bars, and lines of bars, in the colours that they have everywhere; the rest of it has the style.
  init(bars text: String, _ style: Style = .plain) {
    parts = []
    for character in text.showingControls {
      let own: Style =
        switch character {
        case "▁"..."█": .good
        case "▒": .bad
        case "░": .faint
        default: style
        }
      if parts.last?.style == own {
        parts[parts.count - 1].text.append(character)
      } else {
        parts.append(Part(text: String(character), style: own))
      }
    }
  }

  var text: String { parts.map(\.text).joined() }
  var columns: Int { parts.reduce(0) { $0 + $1.text.columns } }
  var isEmpty: Bool { parts.isEmpty }

  static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  static func += (left: inout StyledText, right: StyledText) { left.parts += right.parts }

  /// As much of the line as fits into these columns.
  func prefix(columns: Int) -> StyledText {
    var (fitting, room) = (StyledText(""), columns)
    for part in parts {
      let text = String(part.text.prefix(columns: room))
      fitting.parts.append(Part(text: text, style: part.style))
      if text.count < part.text.count { break }
      room -= text.columns
    }
    return fitting
  }

  /// The line, if it fits into these columns. Otherwise it is cut, and ends with an ellipsis.
  func cut(to columns: Int, ellipsis: String = "…") -> StyledText {
    guard self.columns > columns else { return self }
    return prefix(columns: max(0, columns - ellipsis.columns))
      + StyledText(String(ellipsis.prefix(columns: columns)))
  }

  /// The line, if it fits into these columns. Otherwise it is cut after a word, and has the style of its beginning.
  func cutAtWord(to columns: Int) -> StyledText {
    guard self.columns > columns else { return self }
    return StyledText(text.cutAtWord(to: columns), parts.first?.style ?? .plain)
  }

  /// The line as bytes for a terminal.
  func rendered(withColors hasColors: Bool) -> String {
    guard hasColors else { return text }
    return parts.map { part in
      guard let parameter = part.style.parameter else { return part.text }
      return "\u{1B}[\(parameter)m\(part.text)\u{1B}[0m"
    }.joined()
  }
}

extension Sequence<StyledText> {
  func joined(separator: StyledText) -> StyledText {
    var (line, isFirst) = (StyledText(""), true)
    for text in self {
      if !isFirst { line += separator }
      line += text
      isFirst = false
    }
    return line
  }
}
