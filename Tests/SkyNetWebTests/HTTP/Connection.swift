import Foundation

/// The whole answer to bytes, when the server has closed the connection.
func answer(to text: String, port: Int) async throws -> String {
  let connection = try Connection(port: port)
  connection.send(text)
  return await connection.rest()
}

/// A TCP connection to a port of this machine, which blocks.
struct Connection: Sendable {
  private let descriptor: Int32

  init(port: Int) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw CocoaError(.fileReadUnknown) }
  }

  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends this side: the other one sees that nothing follows.
  func endInput() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// What comes until the other side closes the connection. A thread of its own waits for it.
  func rest() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: all()) }
    }
  }

  private func all() -> String {
    defer { close() }
    var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      all += buffer[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }

  func close() { _ = Foundation.close(descriptor) }
}
