import Foundation
import Synchronization

/// Standard error as people see it: lines, and on a terminal a panel below them that is redrawn
/// in place.
final class Console: Sendable {
  static let standardError = Console(descriptor: FileHandle.standardError.fileDescriptor)

  let isTerminal: Bool
  private let descriptor: CInt
  private let writer: LineWriter
  private let panel = Mutex<[String]>([])

  private init(descriptor: CInt) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    writer = LineWriter(descriptor: descriptor)
  }

  /// Writes lines that come before all that is written later, soon; on a terminal, at once.
  func run() async {
    await writer.run()
  }

  /// Writes a line, above the panel if there is one. Names and reasons come from peers: what would
  /// move a terminal's cursor, or begin another line, is shown and not obeyed.
  func line(_ text: String) {
    let text = text.showingControls
    guard isTerminal else { return writer.write(line: text) }
    panel.withLock { panel in
      writer.write(Self.erase(panel) + text + "\n" + Self.drawn(panel))
      writer.flush()
    }
  }

  /// Writes the line that there is one of for each sector, if this is no terminal.
  func completed(_ sector: Int, by system: String) {
    guard !isTerminal else { return }
    writer.write(line: "completed ", String(sector), " by ", system.showingControls)
  }

  /// Shows these lines in place of the panel's; none to remove it.
  func show(_ lines: [String]) {
    guard isTerminal else { return }
    let width = self.width
    let clipped = lines.map { String($0.showingControls.prefix(width)) }
    panel.withLock { panel in
      guard clipped != panel else { return }
      writer.write(Self.erase(panel) + Self.drawn(clipped))
      writer.flush()
      panel = clipped
    }
  }

  /// Returns when there is room for more lines.
  func room() async { await writer.room() }

  func flush() {
    writer.flush()
  }

  /// How many characters fit on a line.
  var width: Int {
    var size = winsize()
    let request = UInt(TIOCGWINSZ)
    guard ioctl(descriptor, request, &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Moves up over the panel and clears from there on.
  private static func erase(_ panel: [String]) -> String {
    panel.isEmpty ? "" : "\u{1B}[\(panel.count)A\r\u{1B}[J"
  }

  private static func drawn(_ panel: [String]) -> String {
    panel.map { $0 + "\n" }.joined()
  }
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
