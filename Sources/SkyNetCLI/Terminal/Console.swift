import Foundation

/// Standard error as people see it: lines, and on a terminal a panel below them that is redrawn
/// in place.
final class Console: Sendable {
  static let standardError = Console(descriptor: FileHandle.standardError.fileDescriptor)

  /// Whether it is a terminal on which a panel can be redrawn.
  let canRedraw: Bool
  let isTerminal: Bool
  private let descriptor: CInt
  private let writer: LineWriter

  private init(descriptor: CInt) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    // Such a terminal shows escape sequences as text: the shell of an editor, for one.
    canRedraw = isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    writer = LineWriter(descriptor: descriptor)
  }

  /// Writes lines that come before all that is written later, soon; on a terminal without a panel,
  /// at once.
  func run() async {
    await writer.run()
  }

  /// Writes a line, above the panel if there is one; it stays, and is never cut. Names and reasons
  /// come from peers: what would move a terminal's cursor, or begin another line, is shown and not
  /// obeyed.
  func line(_ text: String) {
    writer.write(line: text.showingControls)
    // Below a panel there may be many in a row: they are gathered as elsewhere.
    if isTerminal, !writer.hasPanel { writer.flush() }
  }

  /// Writes the line that there is one of for each sector.
  func completed(_ sector: Int, by system: String) {
    writer.write(line: "completed ", String(sector), " by ", system.showingControls)
  }

  /// Shows as many of these lines as fit in place of the panel's; none to remove it.
  func show(_ lines: [String]) {
    guard canRedraw else { return }
    writer.show(Panel(lines, in: window))
  }

  /// Returns when there is room for more lines.
  func room() async { await writer.room() }

  func flush() {
    writer.flush()
  }

  /// How much the terminal's window shows.
  var window: WindowSize { WindowSize(of: descriptor) }
}

extension String {
  /// With control characters written as escapes.
  var showingControls: String {
    // Looked at as bytes first, in which all but the rarest lines have none: 0xC2 begins those from
    // U+0080 on, and a few letters.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return self }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  /// Whether it is of Unicode's category Cc, which never changes (UAX #44, stability); a look into
  /// the tables for each character of each line takes longer than all else about it.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
