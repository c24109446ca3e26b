import Foundation

/// The characters beyond ASCII that this program draws and writes with.
enum Symbols {
  /// Whether this process's user sees them.
  static let areShown = TerminalTraits.showsUnicode(ProcessInfo.processInfo.environment)

  private static let replacements: [Character: String] = [
    "█": "#", "▒": "x", "░": ".",
    "▁": "_", "▂": ".", "▃": ",", "▄": "-", "▅": "=", "▆": "+", "▇": "*",
    "⠋": "|", "⠙": "/", "⠹": "-", "⠸": "\\", "⠼": "|", "⠴": "/", "⠦": "-", "⠧": "\\", "⠇": "|",
    "⠏": "/",
    "…": "...", "·": "-", "●": "o", "✓": "ok", "✗": "not ok", "×": "x", "▸": ">", "↑": "^",
    "↓": "v",
  ]

  /// The text with others in their place.
  static func inASCII(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.map { replacements[$0] ?? String($0) }.joined()
  }
}

extension String {
  /// The text as this process's user sees it.
  package var shown: String { Symbols.areShown ? self : Symbols.inASCII(self) }
}

extension StyledText {
  /// The line as this process's user sees it.
  var shown: StyledText {
    guard !Symbols.areShown else { return self }
    return parts.map { StyledText(Symbols.inASCII($0.text), $0.style) }.joined(separator: "")
  }
}
