import Foundation
import Logging
import Synchronization

/// Standard error for people: lines, and on a terminal a panel below them that is redrawn in place.
final class Console: Sendable {
  static let standardError = Console(descriptor: FileHandle.standardError.fileDescriptor)

  /// Whether this is a terminal on which a panel can be redrawn.
  var canRedraw: Bool { isCapable && format == .text }
  private let isCapable: Bool
  let isTerminal: Bool
  let hasColors: Bool
  private let descriptor: CInt
  private let writer: LineWriter
  private let chosenFormat = Mutex(LogFormat.text)
  /// Whether that is the format for people; looked up for each line.
  private let isText = Atomic(true)

  private init(descriptor: CInt) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    // A dumb terminal, such as an editor's shell, shows escape sequences as text.
    let environment = ProcessInfo.processInfo.environment
    isCapable = isTerminal && environment["TERM"] != "dumb"
    hasColors = ColorChoice.hasColors(isTerminal: isTerminal, environment)
    writer = LineWriter(descriptor: descriptor, reflows: ColorChoice.reflows(environment))
  }

  /// Writes lines in their order, some milliseconds after they were given, until cancelled. (On a
  /// terminal without a panel they are written at once.)
  func run() async {
    await writer.run()
  }

  /// Writes a line, above the panel if there is one; the line stays and is never cut. Names and
  /// reasons in it come from peers, so control characters, which could move the cursor or begin
  /// another line, are shown as escapes.
  func line(_ text: String) { line(text, level: .info) }

  func line(_ text: StyledText) {
    guard format == .text else { return line(text.text) }
    write(text.rendered(withColors: hasColors))
  }

  /// The same, where a text for people begins with `warning: ` or `error: ` if the level is one of
  /// these.
  func line(_ text: String, level: Logger.Level) {
    switch format {
    case .text: write((level >= .warning ? "\(level): " : "") + text.showingControls)
    case .json, .journald:
      write(formatted(LogLine(level: level, label: LogLine.ownLabel, message: text)))
    }
  }

  private func write(_ line: String) {
    writer.write(line: line)
    // With a panel there may be many lines in a row, so they are gathered.
    if isTerminal, !writer.hasPanel { writer.flushSoon() }
  }

  /// Writes a message of the log.
  ///
  /// - Parameter showsTime: whether a line for people begins with the time.
  func log(_ line: LogLine, showsTime: Bool) {
    let isText = isText.load(ordering: .relaxed)
    let time = isText && showsTime ? Date.now.formatted(.iso8601) + " " : ""
    write(isText ? (time + line.text).showingControls : formatted(line))
  }

  private func formatted(_ line: LogLine) -> String {
    switch format {
    case .text: line.text.showingControls
    case .json: line.json(at: .now)
    case .journald: line.journald
    }
  }

  var format: LogFormat { chosenFormat.withLock { $0 } }

  /// Writes all later lines in this format.
  func setFormat(_ format: LogFormat) {
    chosenFormat.withLock { $0 = format }
    isText.store(format == .text, ordering: .relaxed)
  }

  /// Writes the line for a completed sector. There is one for each sector, so it is built without
  /// copies.
  ///
  /// - Parameter image: the sector's image, in a run of several.
  func completed(_ sector: Int, of image: String? = nil, by system: String) {
    let place = image.map { " of \($0.showingControls)" } ?? ""
    guard isText.load(ordering: .relaxed) else {
      return line("completed \(sector)\(place) by \(system)")
    }
    writer.write(line: "completed ", String(sector) + place, " by ", system.showingControls)
  }

  /// Replaces the panel's lines by as many of these as fit. No lines remove the panel.
  func show(_ lines: [String]) { show(in: window) { _ in lines.map { StyledText($0) } } }

  /// Replaces the panel's lines by those that `lines` makes for this window.
  func show(in window: WindowSize, _ lines: (WindowSize) -> [StyledText]) {
    guard canRedraw else { return }
    writer.show(Panel(lines(window), in: window, hasColors: hasColors))
  }

  /// Returns when the writer has room for more lines.
  func waitForRoom() async { await writer.waitForRoom() }

  /// Writes out all lines, and blocks until that is done.
  func flush() { writer.flush() }

  /// The size of the terminal's window.
  var window: WindowSize { WindowSize(of: descriptor) }
}

extension String {
  /// With control characters written as escapes.
  var showingControls: String {
    // The bytes are checked first, since hardly any line has control characters. 0xC2 begins those
    // from U+0080 on, and a few letters.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return self }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is of Unicode's category Cc, which never changes (UAX #44, stability).
  /// Looking each one up in Unicode's tables would take longer than all other work on a line.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
