/// Lines that are redrawn in place below all others.
///
/// The cursor is on the line below the panel, so a panel must have one line less than the window:
/// lines that have scrolled out of the window cannot be erased.
struct Panel: Hashable {
  static let none = Panel([StyledText](), in: WindowSize(columns: 0, rows: 0))

  let lines: [String]
  /// The columns that each line takes.
  private let widths: [Int]
  private let window: WindowSize

  /// Makes a panel of the lines that fit. Each is cut to the window's width; if there are too many,
  /// the last line says how many more there are.
  init(_ lines: [StyledText], in window: WindowSize, hasColors: Bool = false) {
    let room = window.rows - 1
    var shown = lines
    if lines.count > room {
      let kept = max(0, room - 1)
      shown =
        room > 0 ? lines.prefix(kept) + [StyledText("  and \(lines.count - kept) more")] : []
    }
    let cut = shown.map { $0.prefix(columns: window.columns) }
    self.lines = cut.map { $0.rendered(withColors: hasColors) }
    widths = cut.map(\.columns)
    self.window = shown.isEmpty ? WindowSize(columns: 0, rows: 0) : window
  }

  init(_ lines: [String], in window: WindowSize) {
    self.init(lines.map { StyledText($0) }, in: window)
  }

  /// The text that clears the panel's rows and the cursor's own, where a terminal may have shown a key, and
  /// moves the cursor to the panel's beginning. Rows are cleared one by one: tmux takes a clearing of the whole
  /// screen for a new page, and would keep the panel above it.
  ///
  /// - Parameters:
  ///   - window: the window as it is now.
  ///   - reflows: whether the terminal has broken the panel's lines anew, if the window is narrower than it was.
  func erasure(in window: WindowSize, reflows: Bool) -> String {
    guard !lines.isEmpty else { return "" }
    let isNarrower = reflows && window.columns < self.window.columns
    let rows =
      isNarrower
      ? widths.reduce(0) { $0 + max(1, ($1 + window.columns - 1) / window.columns) } : lines.count
    return "\r\u{1B}[2K" + String(repeating: "\u{1B}[1A\u{1B}[2K", count: rows)
  }

  /// The text that draws the panel. A line that wraps would be erased only in part, and a character
  /// may take more columns than it seems, so the text also makes the terminal cut long lines (DECAWM).
  var drawing: String {
    lines.isEmpty
      ? "" : "\u{1B}[?7l" + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h"
  }
}
