import Dispatch
import Foundation
package import Logging
import SkyNetViews
import Synchronization

/// Standard error for people: lines, and on a terminal a panel below them that is redrawn in place.
///
/// Nothing waits for its reader, except that a process gives it a second at its end: lines that are not read are dropped,
/// and the next one that is says how many there were.
package final class Console: Sendable {
  package static let standardError = Console(descriptor: FileHandle.standardError.fileDescriptor)

  /// Whether this is a terminal on which a panel can be redrawn. It is while this process is in the foreground.
  package var canRedraw: Bool { isCapable && format == .text }
  private let isCapable: Bool
  package let isTerminal: Bool
  package let hasColors: Bool
  private let descriptor: CInt
  private let writer: LineWriter
  private let chosenFormat = Mutex(LogFormat.text)
  private let marks = Mutex<[Logger.Level: String]>([:])
  /// Takes the log while a view shows its last lines.
  private let tail = Mutex<LogTail?>(nil)
  /// Whether that is the format for people; looked up for each line.
  private let isText = Atomic(true)

  private init(descriptor: CInt) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    let environment = ProcessInfo.processInfo.environment
    isCapable = isTerminal && TerminalTraits.obeys(environment)
    hasColors = TerminalTraits.hasColors(isTerminal: isTerminal, environment)
    writer = LineWriter(
      descriptor: descriptor, isData: false, reflows: TerminalTraits.reflows(environment))
  }

  /// Writes lines in their order, some milliseconds after they were given, until cancelled. (On a
  /// terminal without a panel they are written at once.)
  package func run() async {
    await writer.run()
  }

  /// Writes a line, above the panel if there is one; the line stays and is never cut. Names and
  /// reasons in it come from peers, so control characters, which could move the cursor or begin
  /// another line, are shown as escapes.
  package func line(_ text: String) { line(text, level: .info) }

  func line(_ text: StyledText) {
    guard format == .text else { return line(text.text) }
    write(text.rendered(withColors: hasColors))
  }

  /// The same, where a text for people begins with `warning: ` or `error: ` if the level is one of
  /// these.
  package func line(_ text: String, level: Logger.Level) {
    switch format {
    case .text: write((level >= .warning ? mark(of: level) : "") + text.showingControls)
    case .json, .journald:
      write(formatted(LogLine(level: level, label: LogLine.ownLabel, message: text)))
    }
  }

  /// Has later lines for people begin with these words, in place of `warning: ` and `error: `.
  package func begin(with marks: [Logger.Level: String]) {
    self.marks.withLock { $0 = marks }
  }

  private func mark(of level: Logger.Level) -> String {
    marks.withLock { $0[level] } ?? "\(level): "
  }

  /// Writes a line about something that has just happened. In a file or a pipe, which people read later, it begins with
  /// the time, unless its format has that in another place.
  func event(_ text: StyledText) {
    line(showsTimes && format == .text ? StyledText(time) + text : text)
  }

  /// Whether lines about what happens in a run begin with the time.
  package var showsTimes: Bool { !isTerminal }

  /// People who look at a terminal know the day.
  private var time: String {
    isTerminal
      ? Figures.clock(Date.now.timeIntervalSince1970) + " " : Date.now.formatted(.iso8601) + " "
  }

  private func write(_ line: String) {
    let line = line.shown
    writer.write(reportingDropped: dropped) { bytes in
      bytes.append(contentsOf: line.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    // With a panel there may be many lines in a row, so they are gathered.
    if isTerminal, !writer.hasPanel { writer.flushSoon() }
  }

  /// The line about so many that nobody has read in time.
  private func dropped(_ count: Int) -> String {
    let line = LogLine(
      level: .warning, label: LogLine.ownLabel,
      message:
        "\(count) line\(count == 1 ? " was" : "s were") dropped here, as standard error was not read"
    )
    return formatted(line)
  }

  /// Has a view show the last lines of the log from now on. What is no fault has no line of its own then. With `nil`
  /// every message has its line again.
  func keepLog(in tail: LogTail?) { self.tail.withLock { $0 = tail } }

  /// Writes a message of the log.
  ///
  /// - Parameter showsTime: whether a line for people begins with the time.
  func log(_ line: LogLine, showsTime: Bool) {
    if let tail = tail.withLock({ $0 }) {
      tail.add(line, at: Date.now.timeIntervalSince1970)
      if line.level < .warning { return }
    }
    let isText = isText.load(ordering: .relaxed)
    let time = isText && showsTime ? time : ""
    let text = isTerminal ? line.shortText : line.text
    write(isText ? (time + text).showingControls : formatted(line))
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
  /// - Parameter part: the sector's part, in a run of several.
  package func completed(_ sector: Int, of part: String? = nil, by system: String) {
    let place = EventText.sector(sector, of: part?.showingControls)
    let isText = isText.load(ordering: .relaxed)
    writer.write(isBulk: true, reportingDropped: dropped) { bytes in
      guard isText else {
        let line = LogLine(
          level: .info, label: LogLine.ownLabel, message: "completed \(place) by \(system)"
        )
        bytes.append(contentsOf: (formatted(line) + "\n").utf8)
        return
      }
      bytes.append(contentsOf: "completed ".utf8)
      bytes.append(contentsOf: place.utf8)
      bytes.append(contentsOf: " by ".utf8)
      bytes.append(contentsOf: system.showingControls.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  // MARK: The panel

  /// Keeps a panel below the lines until cancelled, and then removes it. Its lines are made anew for the window at each
  /// interval.
  ///
  /// There is none while another process group has the terminal, whose output it would overwrite: one that runs in the
  /// background or is stopped by Ctrl-Z leaves the terminal to the shell.
  func showPanel(
    every interval: Duration, _ lines: @Sendable (WindowSize) async -> [StyledText]
  ) async {
    guard canRedraw else { return }
    let stops = onSuspension()
    defer { stops.cancel() }
    while !Task.isCancelled {
      let window = window
      let shown = await lines(window).map(\.shown)
      if isInForeground {
        writer.show(Panel(shown, in: window, hasColors: hasColors))
      } else {
        writer.forgetPanel()
      }
      try? await Task.sleep(for: interval)
    }
    if isInForeground { writer.show(.none) } else { writer.forgetPanel() }
    // The run's output may follow on the same terminal.
    flush()
  }

  /// Whether the terminal takes this process's input; also if it is not the one that controls the process.
  private var isInForeground: Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }

  /// Has Ctrl-Z remove the panel before the process is stopped.
  private func onSuspension() -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(
      signal: SIGTSTP, queue: DispatchQueue(label: "skynet.suspension"))
    source.setEventHandler { [self] in
      if isInForeground { writer.show(.none) }
      flush()
      kill(getpid(), SIGSTOP)
    }
    source.activate()
    return source
  }

  /// Whether ``waitForRoom()`` has something to do.
  var isBehind: Bool { writer.isBehind }

  /// Returns when a file has room for more lines. It never waits for a reader.
  package func waitForRoom() async { await writer.waitForRoom() }

  /// Writes out all lines, and blocks until that is done, or the reader has taken nothing for a second.
  package func flush() { writer.flush() }

  /// Has the lines written, and returns at once.
  func flushSoon() { writer.flushSoon() }

  /// Writes out all lines on this thread, for a process that may not start another one.
  package func flushHere() { writer.flushHere() }

  /// The size of the terminal's window.
  var window: WindowSize { WindowSize(of: descriptor) }
}
