/// Lines that are redrawn in place below all others.
///
/// The cursor is on the line below the panel, so a panel must have one line less than the window:
/// lines that have scrolled out of the window cannot be erased.
struct Panel: Hashable {
  static let none = Panel([], in: WindowSize(columns: 0, rows: 0))

  let lines: [String]

  /// Makes a panel of the lines that fit. Each is cut to the window's width; if there are too many,
  /// the last line says how many more there are.
  init(_ lines: [String], in window: WindowSize) {
    let room = window.rows - 1
    var shown = lines
    if lines.count > room {
      let kept = max(0, room - 1)
      shown = room > 0 ? lines.prefix(kept) + ["  and \(lines.count - kept) more"] : []
    }
    self.lines = shown.map { String($0.showingControls.prefix(window.columns)) }
  }

  /// The text that moves the cursor to the panel's beginning and clears the screen from there.
  var erasure: String { lines.isEmpty ? "" : "\u{1B}[\(lines.count)A\r\u{1B}[J" }

  /// The text that draws the panel. A line that wraps would be erased only in part, and a character
  /// may take two columns, so the text also makes the terminal cut long lines (DECAWM).
  var drawing: String {
    lines.isEmpty
      ? "" : "\u{1B}[?7l" + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h"
  }
}
