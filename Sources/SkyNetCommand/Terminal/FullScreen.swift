import Dispatch
import Foundation
import Synchronization

/// The whole window of a terminal, for a program that draws it until it leaves: the terminal's alternate
/// screen, without a cursor, and with keys that arrive as they are pressed.
///
/// What is drawn waits for the terminal on a queue of its own, and only the latest frame is kept, so that a
/// terminal that stands still holds nothing up.
final class FullScreen: Sendable {
  /// A line of the window.
  struct Line: Hashable, Sendable {
    enum Emphasis { case none, heading, selected }

    var text: StyledText
    var emphasis = Emphasis.none
  }

  private struct State {
    var isEntered = false
    /// The terminal's settings before, if keys are read.
    var former: termios?
    /// Reads the keys.
    var source: (any DispatchSourceRead)?
    var frame: [Line]?
    /// The lines that the terminal shows, and its window when they were drawn.
    var drawn: [String] = []
    var window: WindowSize?
  }

  // The alternate screen (1049), the cursor (25), and the cutting of long lines (7): xterm's private modes.
  private static let beginning = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  // It is cleared before it is left: if the window has grown meanwhile, tmux would leave some of its lines.
  private static let end = "\u{1B}[2J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let output: CInt
  private let input: CInt?
  private let hasColors: Bool
  private let state = Mutex(State())
  /// Where all is written, and may wait.
  private let queue = DispatchQueue(label: "skynet.screen")
  /// The bytes of the keys, as they come.
  let keys: AsyncStream<[UInt8]>
  private let pressed: AsyncStream<[UInt8]>.Continuation

  /// `nil` if standard output is no terminal that can be drawn on.
  init?(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard isatty(STDOUT_FILENO) == 1, TerminalTraits.obeys(environment) else { return nil }
    output = STDOUT_FILENO
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : nil
    hasColors = TerminalTraits.hasColors(isTerminal: true, environment)
    (keys, pressed) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingOldest(64))
  }

  var window: WindowSize { WindowSize(of: output) }

  // MARK: Entering and leaving

  /// Takes the window over; also again, after the process was stopped and continued.
  func enter() {
    let isFirst = state.withLock { state in
      defer { state.isEntered = true }
      if state.former == nil, let input { state.former = Self.raw(input) }
      if state.isEntered, let input { _ = Self.raw(input) }
      state.drawn = []
      state.window = nil
      return !state.isEntered
    }
    queue.async { [self] in _ = writeAll(Array(Self.beginning.utf8)[...], to: output) }
    if isFirst, let input { readKeys(from: input) }
  }

  private func readKeys(from input: CInt) {
    state.withLock { state in
      // Not the queue that may wait for the terminal.
      let source = DispatchSource.makeReadSource(
        fileDescriptor: input, queue: DispatchQueue(label: "skynet.keys"))
      source.setEventHandler { [weak self, pressed] in
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(input, &bytes, bytes.count)
        if count > 0 {
          pressed.yield(Array(bytes.prefix(count)))
        } else {
          // The terminal is gone. A signal says so, too.
          self?.state.withLock { $0.source?.cancel() }
        }
      }
      source.activate()
      state.source = source
    }
  }

  /// Gives the window back, with what it showed before. Nothing is drawn any more.
  func leave() {
    let (wasEntered, former) = state.withLock { state in
      defer { state.isEntered = false }
      state.frame = nil
      state.source?.cancel()
      return (state.isEntered, state.former)
    }
    guard wasEntered else { return }
    pressed.finish()
    // A terminal that takes nothing does not keep the process: neither here nor by waiting for what was drawn.
    if let input, var former { tcsetattr(input, TCSANOW, &former) }
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { [self] in
      _ = writeAll(Array(Self.end.utf8)[...], to: output)
      isWritten.signal()
    }
    _ = isWritten.wait(timeout: .now() + 1)
  }

  /// Has a terminal pass each key on, without showing it. Returns its settings before.
  private static func raw(_ descriptor: CInt) -> termios? {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    let former = settings
    // Ctrl-C arrives as a key, too: it leaves as `q` does. Output is processed as before.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    tcsetattr(descriptor, TCSANOW, &settings)
    return former
  }

  // MARK: Drawing

  /// Shows these lines, as many as the window has rows. Returns at once.
  func show(_ lines: [Line]) {
    let isFirst = state.withLock { state in
      guard state.isEntered else { return false }
      defer { state.frame = lines }
      return state.frame == nil
    }
    guard isFirst else { return }
    queue.async { [self] in
      let text = state.withLock { take(&$0) }
      _ = writeAll(Array(text.utf8)[...], to: output)
    }
  }

  /// The text that draws the frame: the lines that have changed, each at its place.
  private func take(_ state: inout State) -> String {
    guard let frame = state.frame, state.isEntered else { return "" }
    state.frame = nil
    let window = window
    var text = ""
    if state.window != window {
      state.window = window
      state.drawn = []
      text = "\u{1B}[2J"
    }
    let lines = frame.prefix(window.rows).map { rendered($0, columns: window.columns) }
    for row in 0..<max(lines.count, state.drawn.count) {
      let line = row < lines.count ? lines[row] : ""
      let former = row < state.drawn.count ? state.drawn[row] : ""
      if line != former { text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)" }
    }
    state.drawn = lines
    return text
  }

  private func rendered(_ line: Line, columns: Int) -> String {
    let text = line.text.shown.prefix(columns: columns)
    return switch line.emphasis {
    case .none: text.rendered(withColors: hasColors)
    case .heading: "\u{1B}[1m\(text.text)\u{1B}[0m"
    case .selected: "\u{1B}[7m\(text.text.padded(to: columns))\u{1B}[0m"
    }
  }
}
