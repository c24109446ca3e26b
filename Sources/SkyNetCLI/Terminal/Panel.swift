/// Lines that are redrawn in place below all others.
///
/// The cursor stands on the line after them, so that a panel must be lower than the window by one:
/// what has scrolled out of it cannot be erased any more.
struct Panel: Hashable {
  static let none = Panel([], in: WindowSize(columns: 0, rows: 0))

  let lines: [String]

  /// Lines as far as they fit: each is cut to the window's width, and where there are too many, the
  /// last one says how many more there are.
  init(_ lines: [String], in window: WindowSize) {
    let room = window.rows - 1
    var shown = lines
    if lines.count > room {
      let kept = max(0, room - 1)
      shown = room > 0 ? lines.prefix(kept) + ["  and \(lines.count - kept) more"] : []
    }
    self.lines = shown.map { String($0.showingControls.prefix(window.columns)) }
  }

  /// What moves a terminal's cursor to where the panel begins, and clears from there on.
  var erasure: String { lines.isEmpty ? "" : "\u{1B}[\(lines.count)A\r\u{1B}[J" }

  /// What draws it. No line may wrap, or it would be erased in part: a character may take two
  /// columns, so the terminal is told to cut them (DECAWM).
  var drawing: String {
    lines.isEmpty
      ? "" : "\u{1B}[?7l" + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h"
  }
}
