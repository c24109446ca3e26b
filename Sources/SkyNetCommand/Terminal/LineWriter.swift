import Dispatch
import Foundation
import SkyFiles
import SkyNetJournal
import Synchronization

/// Writes lines to a file descriptor, on a queue of its own, where a write may wait for a reader. It gathers lines for
/// some milliseconds, so that many share a system call. On a terminal it keeps a panel below the lines.
///
/// An output of data has every line, and is waited for. Any other loses lines rather than hold anything up: what its
/// reader does not take is dropped, and a line says how many there were. A terminal is shown the control characters of
/// data as escapes; other lines come with theirs escaped.
final class LineWriter: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// The rest of the text that is being written.
    var underWay: ArraySlice<UInt8> = []
    /// Since when a write has waited, if one does.
    var waitsSince: ContinuousClock.Instant?
    /// The lines that were dropped since the last line that was taken.
    var dropped = 0
    var droppedInAll = 0
    var failure: WriteFailure?
    /// The panel that the terminal shows.
    var drawn = Panel.none
    /// The panel that the terminal should show.
    var panel = Panel.none
    /// Whether the queue will write out what is gathered.
    var isScheduled = false
    /// Whether the file still has what an earlier run wrote, and lines wait for ``begin()``.
    var isHeld: Bool

    /// The bytes that are not written yet.
    var waiting: Int { buffer.count + underWay.count }

    /// Takes the text to write now: all gathered lines, and the panel below them.
    ///
    /// - Parameter window: looks up the terminal's window as it is now.
    mutating func take(in window: () -> WindowSize, reflows: Bool) -> [UInt8] {
      if failure != nil { return [] }
      defer { buffer = [] }
      if drawn == .none, panel == .none { return buffer }
      if buffer.isEmpty, drawn == panel { return [] }
      defer { drawn = panel }
      let erasure = drawn.erasure(in: window(), reflows: reflows)
      return Array(erasure.utf8) + buffer + Array(panel.drawing.utf8)
    }
  }

  /// From this many waiting bytes on, ``waitForRoom()`` waits.
  private static let waitLimit = 256 * 1024
  /// From this many waiting bytes on, lines are dropped of which there are many.
  private static let bulkLimit = 1 << 20
  /// From this many waiting bytes on, all lines are dropped.
  private static let limit = 2 << 20
  /// How long a line waits for others that share its system call.
  private static let gathering = Duration.milliseconds(20)
  /// A reader that has taken nothing for this long is not waited for.
  private static let patience = Duration.seconds(1)
  /// The most bytes of a write to a reader that may stop reading, so that it is known how many it has taken. A pipe
  /// takes as many at once, or none (PIPE_BUF, pipe(7)).
  private static let chunk = 4096
  /// The most bytes of a write to a pipe that is waited for: as many as it holds, so that it is seen to move.
  private static let part = 1 << 16

  /// The file behind the descriptor, if there is one, and how many bytes were written.
  private struct Output {
    var file: GrowingFile?
    var written = 0
  }

  private let descriptor: CInt
  private let dropsLines: Bool
  private let showsControls: Bool
  /// The descriptor's name if it is a pipe that is waited for.
  private let pipe: String?
  /// Whether the terminal breaks lines anew when its window gets narrower.
  private let reflows: Bool
  private let state: Mutex<State>
  /// Used on the queue, and by ``begin()`` and ``flushHere()``.
  private let output: Mutex<Output>
  private let queue = DispatchQueue(label: "skynet.lines")
  private let (news, announce) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - path: the name by which the descriptor was opened. If it is a regular file, the writer fails once the file
  ///     loses that name or bytes that were written. What the file has now stays until ``begin()``.
  ///   - isData: whether every line counts. A regular file has every line anyway, as no reader keeps it waiting.
  init(descriptor: CInt, path: String? = nil, isData: Bool, reflows: Bool = true) {
    self.descriptor = descriptor
    self.reflows = reflows
    let isFile = GrowingFile.isFile(descriptor)
    dropsLines = !isData && !isFile
    showsControls = isData && isatty(descriptor) == 1
    let file = isFile ? path.map { GrowingFile(path: $0) } : nil
    output = Mutex(Output(file: file))
    var status = stat()
    let isThere = fstat(descriptor, &status) == 0
    pipe =
      isData && isThere && status.st_mode & S_IFMT == S_IFIFO
      ? (descriptor == STDOUT_FILENO ? "/dev/stdout" : "/dev/fd/\(descriptor)") : nil
    state = Mutex(State(isHeld: file != nil && isThere && status.st_size > 0))
  }

  /// Why writing failed, once it has. Later lines are dropped.
  var failure: WriteFailure? { state.withLock { $0.failure } }

  /// Whether the file still has what an earlier run wrote.
  var isHeld: Bool { state.withLock { $0.isHeld } }

  /// Empties the file of what an earlier run wrote, and writes from now on. Only the first call does something.
  func begin() {
    // Most calls find it begun, and must not wait for a write.
    guard isHeld else { return }
    output.withLock { _ in
      guard isHeld else { return }
      let failure = ftruncate(descriptor, 0) == 0 ? nil : WriteFailure.refused(errno)
      state.withLock {
        $0.failure = failure
        $0.isHeld = false
      }
    }
    announce.yield()
  }

  // MARK: Lines

  /// Takes a text. It never waits for the output; see ``waitForRoom()``.
  func write(_ text: String) { write { $0.append(contentsOf: text.utf8) } }

  /// Takes a line.
  func write(line: String) { write(line + "\n") }

  /// Takes a line that `add` appends to bytes.
  ///
  /// - Parameters:
  ///   - isBulk: whether it is one of very many lines, which are dropped before all others.
  ///   - report: the line about so many dropped ones.
  func write(
    isBulk: Bool = false, reportingDropped report: ((Int) -> String)? = nil,
    _ add: (inout [UInt8]) -> Void
  ) {
    let isFirst = state.withLock { state in
      let isFirst = state.buffer.isEmpty
      let isFull =
        dropsLines && state.waiting >= (isBulk ? Self.bulkLimit : Self.limit)
      guard !isFull, state.failure == nil else {
        state.dropped += 1
        state.droppedInAll += 1
        return false
      }
      if state.dropped > 0, let report {
        state.buffer.append(contentsOf: report(state.dropped).utf8)
        state.buffer.append(UInt8(ascii: "\n"))
        state.dropped = 0
      }
      add(&state.buffer)
      return isFirst
    }
    if isFirst { announce.yield() }
  }

  /// Whether ``waitForRoom()`` has something to do.
  var isBehind: Bool {
    state.withLock { state in
      state.waiting > Self.waitLimit
        && (state.isHeld || !dropsLines && state.failure == nil)
    }
  }

  /// Returns when there is room for more lines, or when cancelled; ``run()`` makes room. A caller with many lines
  /// awaits it. It returns at once where lines are dropped instead.
  func waitForRoom() async {
    // A run with as much to say has begun.
    if state.withLock({ $0.isHeld && $0.waiting > Self.waitLimit }) { begin() }
    while !dropsLines, state.withLock({ $0.waiting > Self.waitLimit && $0.failure == nil }),
      !Task.isCancelled
    {
      try? await Task.sleep(for: Self.gathering)
    }
  }

  // MARK: The panel

  /// Writes the gathered lines soon, and keeps this panel below them and all later ones.
  func show(_ panel: Panel) {
    state.withLock { $0.panel = panel }
    flushSoon()
  }

  /// Leaves the panel that the terminal shows where it is, as others write below it.
  func forgetPanel() {
    state.withLock { state in
      state.panel = .none
      state.drawn = .none
    }
  }

  /// Whether there is a panel.
  var hasPanel: Bool { state.withLock { $0.panel != .none } }

  // MARK: Writing

  /// Has what is gathered written as it comes, until cancelled.
  func run() async {
    for await _ in news {
      try? await Task.sleep(for: Self.gathering)
      flushSoon()
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
      writeOut()
    }
  }

  /// Writes out what was gathered, and blocks until that is done. Where lines are dropped, a reader that has taken
  /// nothing for a second is not waited for.
  func flush() { wait { self.writeOut() } }

  /// Does the same, and checks that everything is in its file.
  ///
  /// - Returns: how many lines the output has not got.
  @discardableResult func finish() -> Int {
    wait {
      self.writeOut()
      self.output.withLock { output in
        guard let failure = self.lost(&output) else { return }
        self.state.withLock { $0.failure = $0.failure ?? failure }
      }
    }
    return state.withLock { state in
      let end = UInt8(ascii: "\n")
      return state.droppedInAll + state.buffer.count { $0 == end }
        + state.underWay.count { $0 == end }
    }
  }

  /// Writes out what was gathered on this thread, for a process that may not start another one.
  func flushHere() { writeOut() }

  private func wait(for work: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    queue.async {
      work()
      isDone.signal()
    }
    while isDone.wait(timeout: .now() + .milliseconds(20)) == .timedOut, !isGivenUp {}
  }

  /// Whether the reader is not waited for any more.
  private var isGivenUp: Bool {
    guard dropsLines, let since = state.withLock({ $0.waitsSince }) else { return false }
    return ContinuousClock.now - since > Self.patience
  }

  private func writeOut() {
    output.withLock { output in
      if isHeld { return }
      let isEmpty = state.withLock { state in
        let text = state.take(in: { WindowSize(of: descriptor) }, reflows: reflows)
        state.underWay = showsControls ? text.linesShowingControls[...] : text[...]
        return state.underWay.isEmpty
      }
      guard !isEmpty, let failure = writeTaken(to: &output) else { return }
      state.withLock { $0.failure = failure }
    }
  }

  private func writeTaken(to output: inout Output) -> WriteFailure? {
    // The check also comes before the write: a write at the former end of a truncated file makes the
    // file as long as it was.
    if let failure = lost(&output) { return failure }
    while case let part = nextPart(), !part.isEmpty {
      let failure =
        if let pipe {
          NamedPipe.mayWait(for: pipe, isTold: false) { writeAll(part, to: descriptor) }
        } else {
          writeAll(part, to: descriptor)
        }
      if let failure { return failure }
      output.written += part.count
      state.withLock { state in
        state.underWay = state.underWay.dropFirst(part.count)
        state.waitsSince = nil
      }
    }
    return lost(&output)
  }

  private func nextPart() -> ArraySlice<UInt8> {
    state.withLock { state in
      state.waitsSince = state.underWay.isEmpty ? nil : .now
      return state.underWay.prefix(dropsLines ? Self.chunk : pipe == nil ? .max : Self.part)
    }
  }

  private func lost(_ output: inout Output) -> WriteFailure? {
    output.file?.fault(descriptor, written: output.written).map { .lost($0) }
  }
}
