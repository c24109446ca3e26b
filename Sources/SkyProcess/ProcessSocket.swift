import CProcess
package import Foundation

/// One end of the socket between two processes, of which one has started the other. A message is
/// four bytes with its length, and then its bytes. All calls block.
package struct ProcessSocket: Sendable {
  package let socket: CInt

  /// Why a message was not sent.
  package enum Fault: Error {
    /// The other end is gone.
    case closed
    /// The other end accepts no bytes within the socket's timeout.
    case silent
  }

  package init(socket: CInt) { self.socket = socket }

  /// - Parameter descriptors: at most `process_most_descriptors`.
  package func send(_ message: Data, descriptors: [CInt] = []) throws(Fault) {
    var length = UInt32(message.count).littleEndian
    let framed = withUnsafeBytes(of: &length) { Data($0) } + message
    var sent = 0
    while sent < framed.count {
      // The descriptors accompany the first byte.
      let passed = sent == 0 ? descriptors : []
      let count = framed.withUnsafeBytes { bytes in
        process_send(
          socket, bytes.baseAddress! + sent, framed.count - sent, passed, CInt(passed.count))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw errno == EAGAIN ? .silent : .closed }
      sent += count
    }
  }

  /// - Parameter limit: the largest length of a message, in bytes.
  /// - Returns: the message with its descriptors; `nil` if the other end is closed.
  package func receive(atMost limit: Int) -> (message: Data, descriptors: [CInt])? {
    var descriptors: [CInt] = []
    guard let head = receive(4, &descriptors) else { return nil }
    let length = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    guard UInt32(littleEndian: length) <= limit,
      let message = receive(Int(UInt32(littleEndian: length)), &descriptors)
    else { return nil }
    return (message, descriptors)
  }

  private func receive(_ count: Int, _ descriptors: inout [CInt]) -> Data? {
    var bytes = Data(count: count)
    var received = 0
    while received < count {
      var passed = [CInt](repeating: -1, count: Int(process_most_descriptors))
      var passedCount: CInt = 0
      let result = bytes.withUnsafeMutableBytes { room in
        process_receive(
          socket, room.baseAddress! + received, count - received, &passed, &passedCount)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { return nil }
      descriptors += passed.prefix(Int(passedCount))
      received += result
    }
    return bytes
  }
}

extension ProcessSocket {
  /// Two ends that programs do not inherit.
  ///
  /// - Parameter patience: how long this process waits at `own` for the other one to take or give a
  ///   byte, in seconds.
  /// - Throws: the system's error.
  package static func pair(patience: Int) throws(SystemError) -> (own: CInt, others: CInt) {
    var ends: [CInt] = [-1, -1]
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError(number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var patience = timeval(tv_sec: patience, tv_usec: 0)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
      setsockopt(ends[0], SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    return (ends[0], ends[1])
  }

  /// An error of a system call.
  package struct SystemError: Error { package let number: CInt }
}
