import Foundation
import Synchronization

/// Writes text to a file descriptor: gathered, so that a line costs no system call, and yet soon.
final class LineWriter: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: WriteFailure?
  }

  /// Beyond this many bytes the one who writes a line waits for the file.
  private static let limit = 64 * 1024
  /// How long a line may wait for others to share its system call.
  private static let gathering = Duration.milliseconds(20)

  private let descriptor: CInt
  private let state = Mutex(State())
  private let (news, announce) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  /// What went wrong, once something has; what is written later is dropped.
  var failure: WriteFailure? { state.withLock { $0.failure } }

  func write(_ text: String) {
    let isFirst = state.withLock { state in
      let isFirst = state.buffer.isEmpty
      state.buffer.append(contentsOf: text.utf8)
      if state.buffer.count > Self.limit { flush(&state) }
      return isFirst
    }
    if isFirst { announce.yield() }
  }

  /// Writes out what was gathered.
  func flush() {
    state.withLock { flush(&$0) }
  }

  /// Writes out what is gathered, as it comes, until cancelled.
  func run() async {
    for await _ in news {
      try? await Task.sleep(for: Self.gathering)
      flush()
    }
    flush()
  }

  private func flush(_ state: inout State) {
    var rest = state.buffer[...]
    while !rest.isEmpty, state.failure == nil {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Somebody else made the terminal non-blocking: wait until it takes more.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        state.failure = WriteFailure(reason: String(cString: strerror(errno)))
      }
    }
    state.buffer.removeAll(keepingCapacity: true)
  }
}

struct WriteFailure: Error, Hashable {
  let reason: String
}
