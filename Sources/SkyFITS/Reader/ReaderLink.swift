import Foundation
import SkyProcess

/// A process's connection to its reader: it sends requests and ends the reader. All calls block.
struct ReaderLink {
  private let pid: pid_t
  private let connection: ProcessSocket
  private var limits: ReaderLimits
  private var isReady = false
  /// Why there is no reader any more; `nil` while there is one.
  private(set) var ending: ReaderEnding?

  /// - Parameters:
  ///   - pid: a child of this process, for which no other code waits.
  ///   - socket: the socket to the child. The link closes it.
  init(pid: pid_t, socket: CInt, limits: ReaderLimits = ReaderLimits()) {
    self.pid = pid
    connection = ProcessSocket(socket: socket)
    self.limits = limits
  }

  /// Sends a request, and waits for the answer.
  ///
  /// - Throws: ``ReaderEnding``, which may have happened in an earlier request. The reader is gone
  ///   then.
  mutating func ask(
    _ request: ReaderRequest, _ descriptors: [CInt], _ bytes: Int
  ) throws(ReaderEnding) -> ReaderAnswer {
    if let ending { throw ending }
    do throws(ReaderEnding) {
      limits.begin(bytes: bytes, opens: request.opens, used: processorTime, now: Self.now)
      if !isReady {
        guard case .ready(let error) = try answer() else { throw .impossibleAnswer("not ready") }
        guard error == 0 else { throw .notConfined(error) }
        isReady = true
      }
      try connection.pass(request.bytes, descriptors: descriptors)
      let answer = try answer()
      // The answer arrived, so the reader was in time.
      _ = limits.check(used: processorTime, now: Self.now)
      return answer
    } catch {
      throw end(error)
    }
  }

  /// Notices that the reader has ended since the last request, and that it used too much time since.
  mutating func checkBetweenRequests() {
    // A reader that could not confine itself has ended too, and its answer tells why.
    guard ending == nil, isReady else { return }
    var state = pollfd(fd: connection.socket, events: 0, revents: 0)
    if poll(&state, 1, 0) > 0 {
      end(.closed)
    } else if let reason = limits.checkBetweenRequests(used: processorTime) {
      end(reason)
    }
  }

  /// Sends what has no answer. A reader that does not take it is found out by the next request.
  func tell(_ request: ReaderRequest) {
    guard ending == nil else { return }
    try? connection.pass(request.bytes)
  }

  private mutating func answer() throws(ReaderEnding) -> ReaderAnswer {
    let head = try received(4)
    let length = head.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    guard length <= ReaderLimits.answer else { throw .impossibleAnswer("of \(length) bytes") }
    let message = try received(Int(length))
    do {
      return try ReaderAnswer(message)
    } catch {
      throw .impossibleAnswer("\(error)")
    }
  }

  /// Receives bytes from the reader, within its time limits.
  private mutating func received(_ count: Int) throws(ReaderEnding) -> Data {
    var bytes = Data(count: count)
    var received = 0
    while received < count {
      var ready = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
      let readable = poll(&ready, 1, 200)
      if readable < 0, errno != EINTR { throw .closed }
      if readable > 0 {
        // The kernel drops descriptors that come with the bytes, because this call has no room for
        // them.
        let result = bytes.withUnsafeMutableBytes { room in
          recv(connection.socket, room.baseAddress! + received, count - received, 0)
        }
        guard result > 0 || (result < 0 && errno == EINTR) else { throw .closed }
        received += max(0, result)
        guard received < count else { return bytes }
      }
      if let ending = limits.check(used: processorTime, now: Self.now) { throw ending }
    }
    return bytes
  }

  /// Ends the process if it has not ended, and remembers why.
  @discardableResult
  mutating func end(_ reason: ReaderEnding) -> ReaderEnding {
    if let ending { return ending }
    var status: CInt = 0
    // A reader that closed its socket is ending, and its exit status tells why.
    if reason != .closed || !isReaped(within: 2, &status) {
      kill(pid, SIGKILL)
      // A process that hangs in the kernel, on a disk that does not respond, is not waited for.
      var killed: CInt = 0
      _ = isReaped(within: 1, &killed)
    }
    close(connection.socket)
    let signal = status & 0x7f
    let ending = reason == .closed && signal != 0 ? .signal(signal) : reason
    self.ending = ending
    return ending
  }

  private func isReaped(within seconds: Double, _ status: inout CInt) -> Bool {
    let deadline = Self.now + seconds
    while true {
      let reaped = waitpid(pid, &status, WNOHANG)
      if reaped != 0 { return true }
      guard Self.now < deadline else { return false }
      usleep(200)
    }
  }

  /// The reader's processor time, in seconds.
  private var processorTime: Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
