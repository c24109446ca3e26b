import Foundation
import Synchronization

/// Writes text to a file descriptor: gathered, so that a line costs no system call, and yet soon. On
/// a terminal it keeps a panel below.
final class LineWriter: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: WriteFailure?
    /// The panel as it is on the terminal.
    var drawn = Panel.none
    /// The panel as it is to be.
    var panel = Panel.none

    /// Takes what is to be written now: all that was gathered, and the panel below it.
    mutating func take() -> [UInt8] {
      defer { buffer = [] }
      if failure != nil { return [] }
      if drawn == .none, panel == .none { return buffer }
      if buffer.isEmpty, drawn == panel { return [] }
      defer { drawn = panel }
      return Array(drawn.erasure.utf8) + buffer + Array(panel.drawing.utf8)
    }
  }

  /// With this many bytes gathered, whoever has more should wait.
  private static let limit = 256 * 1024
  /// With this many gathered, what comes is dropped: whoever wrote did not ask for room, as a node's
  /// log does not, and nobody reads.
  private static let most = 16 * 1024 * 1024
  /// How long a line may wait for others to share its system call.
  private static let gathering = Duration.milliseconds(20)

  private let descriptor: CInt
  private let state = Mutex(State())
  /// Held by the one who writes out, so that nothing is overtaken.
  private let output = Mutex(())
  private let (news, announce) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  /// What went wrong, once something has; what is written later is dropped.
  var failure: WriteFailure? { state.withLock { $0.failure } }

  /// Takes a text, and never waits for the file: see ``room()``.
  func write(_ text: String) {
    gather { $0.append(contentsOf: text.utf8) }
  }

  /// Takes a line in parts, which need not be joined for it.
  func write(line first: String, _ second: String = "", _ third: String = "", _ last: String = "") {
    gather { buffer in
      buffer.append(contentsOf: first.utf8)
      buffer.append(contentsOf: second.utf8)
      buffer.append(contentsOf: third.utf8)
      buffer.append(contentsOf: last.utf8)
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  private func gather(_ add: (inout [UInt8]) -> Void) {
    let isFirst = state.withLock { state in
      let isFirst = state.buffer.isEmpty
      if state.buffer.count < Self.most { add(&state.buffer) }
      return isFirst
    }
    if isFirst { announce.yield() }
  }

  /// Writes out what was gathered, with this panel below it and whatever follows.
  func show(_ panel: Panel) {
    state.withLock { $0.panel = panel }
    flush()
  }

  /// Whether there is a panel.
  var hasPanel: Bool { state.withLock { $0.panel != .none } }

  /// Returns when there is room for more, which ``run()`` makes, or when cancelled. Who writes much
  /// asks for it: a terminal may be stopped, and a file slow.
  func room() async {
    while state.withLock({ $0.buffer.count > Self.limit && $0.failure == nil }),
      !Task.isCancelled
    {
      try? await Task.sleep(for: Self.gathering)
    }
  }

  /// Writes out what was gathered.
  func flush() {
    output.withLock { _ in
      let text = state.withLock { $0.take() }
      guard !text.isEmpty, let failure = write(out: text) else { return }
      state.withLock { $0.failure = failure }
    }
  }

  /// Writes out what is gathered, as it comes, until cancelled.
  func run() async {
    for await _ in news {
      try? await Task.sleep(for: Self.gathering)
      flush()
    }
    flush()
  }

  /// Returns why not all of it could be written, if so.
  private func write(out text: [UInt8]) -> WriteFailure? {
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Somebody else made the terminal non-blocking: wait until it takes more.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return WriteFailure(reason: String(cString: strerror(errno)))
      }
    }
    return nil
  }
}

struct WriteFailure: Error, Hashable {
  let reason: String
}
