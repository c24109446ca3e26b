import Foundation
import SkyNetCluster
import SkyNetCore
import Synchronization

/// Writes events to a pipe or a terminal without ever waiting for its reader: what does not fit is dropped and
/// counted.
final class EventPipe: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// The events that were dropped since the last line that was written.
    var dropped = 0
    var droppedInAll = 0
    var isClosed = false
  }

  /// With this many bytes waiting, further events are dropped.
  private static let limit = 1 << 20
  /// The most bytes of one write. A pipe that has room at all has room for as many without blocking (PIPE_BUF,
  /// pipe(7)).
  private static let chunk = 4096
  private static let interval = Duration.milliseconds(20)

  private let descriptor: CInt
  private let state = Mutex(State())

  init(descriptor: CInt) {
    // A terminal that has room for a byte counts as ready, and a write of more would block. It is opened anew, since
    // O_NONBLOCK on the old descriptor would change it for other processes too.
    let own =
      isatty(descriptor) == 1
      ? open("/dev/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
    self.descriptor = own >= 0 ? own : descriptor
  }

  func write(_ update: EngagementUpdate) {
    state.withLock { state in
      guard !state.isClosed, state.buffer.count < Self.limit else {
        state.dropped += 1
        state.droppedInAll += 1
        return
      }
      if state.dropped > 0 {
        state.buffer += Array(update.json(reportingDropped: state.dropped).utf8)
        state.buffer.append(UInt8(ascii: "\n"))
        state.dropped = 0
      }
      update.write(to: &state.buffer)
      state.buffer.append(UInt8(ascii: "\n"))
    }
  }

  /// Writes what the reader takes, until cancelled.
  func run() async {
    while !Task.isCancelled {
      writeReady()
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// Writes what the reader takes within a second. Returns how many events it has lost.
  func finish() -> Int {
    let deadline = ContinuousClock.now + .seconds(1)
    writeReady()
    while state.withLock({ !$0.buffer.isEmpty && !$0.isClosed }), ContinuousClock.now < deadline {
      waitUntilReady(milliseconds: 50)
      writeReady()
    }
    return state.withLock { state in
      state.droppedInAll + state.buffer.count { $0 == UInt8(ascii: "\n") }
    }
  }

  private func writeReady() {
    while let chunk = state.withLock({ $0.isClosed ? nil : $0.buffer.prefix(Self.chunk) }),
      !chunk.isEmpty, waitUntilReady(milliseconds: 0)
    {
      let count = chunk.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      state.withLock { state in
        if count < 0 {
          state.isClosed = true
        } else {
          state.buffer.removeFirst(count)
        }
      }
    }
  }

  /// Whether the pipe takes bytes, or has failed, which a write will tell.
  @discardableResult private func waitUntilReady(milliseconds: CInt) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }
}
