import Dispatch
import Foundation
import SkyNetJournal
import Synchronization

/// Writes lines to a file descriptor. It gathers them for some milliseconds, so that many lines
/// share a system call. On a terminal it keeps a panel below the lines.
final class LineWriter: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: WriteFailure?
    /// The panel that the terminal shows.
    var drawn = Panel.none
    /// The panel that the terminal should show.
    var panel = Panel.none
    /// Whether the queue will write out what is gathered.
    var isScheduled = false

    /// Takes the text to write now: all gathered lines, and the panel below them.
    ///
    /// - Parameter window: looks up the terminal's window as it is now.
    mutating func take(in window: () -> WindowSize, reflows: Bool) -> [UInt8] {
      defer { buffer = [] }
      if failure != nil { return [] }
      if drawn == .none, panel == .none { return buffer }
      if buffer.isEmpty, drawn == panel { return [] }
      defer { drawn = panel }
      let erasure = drawn.erasure(in: window(), reflows: reflows)
      return Array(erasure.utf8) + buffer + Array(panel.drawing.utf8)
    }
  }

  /// From this many gathered bytes on, ``waitForRoom()`` waits.
  private static let waitLimit = 256 * 1024
  /// From this many gathered bytes on, new lines are dropped. This happens only where the output is
  /// not read and the caller does not wait for room, as a node's log does not.
  private static let dropLimit = 16 * 1024 * 1024
  /// How long a line waits for others that share its system call.
  private static let gathering = Duration.milliseconds(20)

  /// The file behind the descriptor, if there is one, and how many bytes were written.
  private struct Output {
    var file: GrowingFile?
    var written = 0
  }

  private let descriptor: CInt
  /// Whether the terminal breaks lines anew when its window gets narrower.
  private let reflows: Bool
  private let state = Mutex(State())
  /// Held during a write, so that lines keep their order.
  private let output: Mutex<Output>
  /// Where writes wait for a terminal that stands still: on threads of Swift's pool they would hold up everything
  /// else, heartbeats too.
  private let queue = DispatchQueue(label: "skynet.lines")
  private let (news, announce) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameter path: the name by which the descriptor was opened. If it is a regular file, the
  ///   writer fails once the file loses that name or bytes that were written.
  init(descriptor: CInt, path: String? = nil, reflows: Bool = true) {
    self.descriptor = descriptor
    self.reflows = reflows
    let file = GrowingFile.isFile(descriptor) ? path.map { GrowingFile(path: $0) } : nil
    output = Mutex(Output(file: file))
  }

  /// Why writing failed, once it has. Later lines are dropped.
  var failure: WriteFailure? { state.withLock { $0.failure } }

  /// Takes a text. It never waits for the file; see ``waitForRoom()``.
  func write(_ text: String) {
    gather { $0.append(contentsOf: text.utf8) }
  }

  /// Takes a line in parts, so that the caller need not join them.
  func write(line first: String, _ second: String = "", _ third: String = "", _ last: String = "") {
    gather { buffer in
      buffer.append(contentsOf: first.utf8)
      buffer.append(contentsOf: second.utf8)
      buffer.append(contentsOf: third.utf8)
      buffer.append(contentsOf: last.utf8)
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  /// Takes lines that `add` appends to bytes.
  func write(_ add: (inout [UInt8]) -> Void) { gather(add) }

  private func gather(_ add: (inout [UInt8]) -> Void) {
    let isFirst = state.withLock { state in
      let isFirst = state.buffer.isEmpty
      if state.buffer.count < Self.dropLimit { add(&state.buffer) }
      return isFirst
    }
    if isFirst { announce.yield() }
  }

  /// Writes the gathered lines soon, and keeps this panel below them and all later ones.
  func show(_ panel: Panel) {
    state.withLock { $0.panel = panel }
    flushSoon()
  }

  /// Whether there is a panel.
  var hasPanel: Bool { state.withLock { $0.panel != .none } }

  /// Returns when there is room for more lines, or when cancelled; ``run()`` makes room. A caller
  /// with many lines awaits it, since a terminal may be stopped and a file slow.
  func waitForRoom() async {
    while state.withLock({ $0.buffer.count > Self.waitLimit && $0.failure == nil }),
      !Task.isCancelled
    {
      try? await Task.sleep(for: Self.gathering)
    }
  }

  /// Has the queue write out what was gathered. Returns at once.
  func flushSoon() {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isFirst else { return }
    queue.async { [self] in
      state.withLock { $0.isScheduled = false }
      flush()
    }
  }

  /// Writes out what was gathered, and blocks until that is done.
  func flush() {
    output.withLock { output in
      let text = state.withLock {
        $0.take(in: { WindowSize(of: descriptor) }, reflows: reflows)
      }
      guard !text.isEmpty, let failure = write(out: text, to: &output) else { return }
      state.withLock { $0.failure = failure }
    }
  }

  /// Writes out what was gathered, and checks that everything is in its file.
  func finish() {
    flush()
    output.withLock { output in
      guard let failure = lost(&output) else { return }
      state.withLock { $0.failure = $0.failure ?? failure }
    }
  }

  private func write(out text: [UInt8], to output: inout Output) -> WriteFailure? {
    // The check also comes before the write: a write at the former end of a truncated file makes the
    // file as long as it was.
    if let failure = lost(&output) ?? writeAll(text[...], to: descriptor) { return failure }
    output.written += text.count
    return lost(&output)
  }

  private func lost(_ output: inout Output) -> WriteFailure? {
    output.file?.fault(descriptor, written: output.written).map { .lost($0) }
  }

  /// Writes out what is gathered, as it comes, until cancelled.
  func run() async {
    for await _ in news {
      try? await Task.sleep(for: Self.gathering)
      flushSoon()
    }
    await withCheckedContinuation { written in
      queue.async { [self] in
        flush()
        written.resume()
      }
    }
  }
}
