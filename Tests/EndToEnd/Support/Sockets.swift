import Foundation
import Synchronization

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif

/// A TCP connection on which a test sends any bytes.
struct RawConnection {
  private let descriptor: Int32

  fileprivate init(descriptor: Int32) {
    self.descriptor = descriptor
    // With a limit, a peer that never answers makes the test fail instead of hang.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends bytes to a port of this machine, and returns the whole answer when the other side has
  /// closed the connection.
  ///
  /// - Parameter isAll: whether the sending direction is closed after the bytes.
  /// - Throws: ``Unexpected`` if the other side does not close the connection.
  static func answer(to bytes: Data, port: Int, isAll: Bool = false) async throws -> Data {
    try await onThread {
      let descriptor = try makeSocket()
      defer { close(descriptor) }
      try withAddress(port: port) {
        guard connect(descriptor, $0, $1) == 0 else { throw systemError("connect") }
      }
      let connection = RawConnection(descriptor: descriptor)
      connection.send(bytes)
      if isAll { shutdown(descriptor, Int32(SHUT_WR)) }
      return try connection.rest()
    }
  }

  /// Sends all bytes, unless the other side closes the connection before.
  func send(_ bytes: Data) {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = bytes.count - sent
        let count = Foundation.send(
          descriptor, bytes.baseAddress.map { $0 + sent }, rest, noSignal)
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  /// Receives some bytes; none at the end of the stream.
  func some() throws -> Data {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    // A peer that closes before it has read everything causes a reset.
    if count < 0, errno == ECONNRESET { return Data() }
    guard count >= 0 else { throw systemError("recv") }
    return Data(buffer.prefix(count))
  }

  private func rest() throws -> Data {
    var all = Data()
    while case let more = try some(), !more.isEmpty { all += more }
    return all
  }

  /// Shuts both directions down.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A server that is no node. On a port of this machine it handles each connection with a closure,
/// one after another, and closes it.
final class ForeignServer: Sendable {
  let port: Int
  private let descriptor: Int32

  init(_ serve: @escaping @Sendable (RawConnection) -> Void) throws {
    (descriptor, port) = try makeListener()
    Thread.detachNewThread { [descriptor] in
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        serve(RawConnection(descriptor: client))
        close(client)
      }
    }
  }

  /// A server that answers the first bytes of each connection.
  convenience init(answering answer: Data) throws {
    try self.init { connection in
      if (try? connection.some())?.isEmpty == false { connection.send(answer) }
    }
  }

  /// A server that sends bytes at once, and keeps the connection until the other side closes it.
  convenience init(saying words: Data) throws {
    try self.init { connection in
      // Reading goes on meanwhile, so that the other side is not blocked.
      let isSaid = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        connection.send(words)
        isSaid.signal()
      }
      while (try? connection.some())?.isEmpty == false {}
      connection.end()
      isSaid.wait()
    }
  }

  /// Ends the server: `accept` returns.
  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}

#if canImport(Darwin)
  let noSignal: Int32 = 0
#else
  let noSignal = Int32(MSG_NOSIGNAL)
#endif

func makeSocket() throws -> Int32 {
  let descriptor = socket(AF_INET, streamSocket, 0)
  guard descriptor >= 0 else { throw systemError("socket") }
  return descriptor
}

/// Calls `body` with an IPv4 address in the sockets' form; by default that of the loopback
/// interface.
func withAddress<Value>(
  _ host: String = "127.0.0.1", port: Int,
  _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Value
) throws -> Value {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
    throw Unexpected("\(host) is no IPv4 address")
  }
  return try withUnsafePointer(to: &address) { pointer in
    try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

/// Ports below those that the kernel gives to programs that ask for any free one, so no other test gets them meanwhile.
private let nextPort = Atomic(20_000 + Int(getpid()) % 8_000)

/// A port of the loopback interface that nobody listens on, and that was not returned before.
func freePort() throws -> Int {
  while true {
    let port = nextPort.add(1, ordering: .relaxed).newValue
    guard port < 32_768 else { throw Unexpected("all ports were used") }
    if let listener = try? makeListener(port: port) {
      close(listener.descriptor)
      return port
    }
  }
}

/// Makes a socket that listens on a port of the loopback interface; with port 0, on a free one.
func makeListener(port: Int = 0, backlog: Int32 = 8) throws -> (descriptor: Int32, port: Int) {
  let descriptor = try makeSocket()
  try withAddress(port: port) {
    guard bind(descriptor, $0, $1) == 0, listen(descriptor, backlog) == 0 else {
      defer { close(descriptor) }
      throw systemError("listen")
    }
  }
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  _ = withUnsafeMutableBytes(of: &address) {
    getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
  }
  return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
}

/// Runs a blocking function on a new thread.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

func systemError(_ call: String) -> Unexpected {
  Unexpected("\(call): \(String(cString: strerror(errno)))")
}
