import CProcess
import Foundation

/// One end of the socket between a process and its reader. A message is four bytes with its length,
/// and then its bytes. All calls block.
struct ReaderConnection {
  let socket: CInt

  /// - Throws: ``ReaderEnding`` if the other end is gone, or accepts no bytes within the socket's
  ///   timeout.
  func send(_ message: Data, descriptors: [CInt] = []) throws(ReaderEnding) {
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
  func receive(atMost limit: Int) -> (message: Data, descriptors: [CInt])? {
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
