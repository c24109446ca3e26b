import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport
import Synchronization
import Testing

extension Endpoint {
  /// Any free port on IPv4's loopback.
  static let loopback = Endpoint(host: "127.0.0.1", port: 0)
}

extension Duration {
  /// Longer than any step of a test takes, however loaded the machine is: a test that runs into it has found
  /// a bug.
  static let ample = Duration.seconds(300)
}

/// A count that several threads add to.
final class Count: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  /// Adds one, and returns the new count.
  @discardableResult
  func add() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// The messages that a connection has received so far.
final class Inbox: Sendable {
  private let received = Mutex<[Message]>([])

  var messages: [Message] { received.withLock { $0 } }

  func add(_ message: Message) {
    received.withLock { $0.append(message) }
  }
}

extension Connection {
  /// Receives until the connection ends, and returns the messages.
  func receiveAll() async throws -> [Message] {
    let inbox = Inbox()
    try await receive { inbox.add($0) }
    return inbox.messages
  }

  /// Receives until the connection ends, and expects these messages.
  func expect(
    _ messages: [Message], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let received = try await receiveAll()
    #expect(received == messages, sourceLocation: sourceLocation)
  }
}

/// Connects two ends over loopback, once without TLS and once with it: both must behave alike.
func withTwoEnds(
  limits: WireLimits = WireLimits(), closingTimeout: Duration = .ample,
  _ body: (_ client: any Connection, _ server: any Connection) async throws -> Void
) async throws {
  for security in [.insecure, try TransportSecurity(key: ClusterKey())] {
    try await withTwoEnds(
      TCPTransport(
        security, limits: limits, closingTimeout: closingTimeout,
        unauthenticated: UnauthenticatedLimits(handshakeTimeout: .ample)), body)
  }
}

/// Connects two ends over loopback.
func withTwoEnds(
  _ transport: TCPTransport,
  _ body: (_ client: any Connection, _ server: any Connection) async throws -> Void
) async throws {
  let listener = try await transport.listen(on: .loopback)
  defer { listener.close() }
  let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
  let server = try #require(await listener.nextConnection())
  defer {
    client.close(saying: nil)
    server.close(saying: nil)
  }
  try await body(client, server)
}

extension Listener {
  /// The next connection. Calls one after the other get connections one after the other.
  func nextConnection() async -> (any Connection)? {
    await connections.first { _ in true }
  }
}

extension Message {
  static let last = Message(.goodbye, encoding: Goodbye("leaving"))

  /// A call with a body, and with bulk bytes in which no two stretches are alike.
  static func call(_ id: UInt64, bulk count: Int = 0) -> Message {
    var bulk = Data(count: count)
    bulk.withUnsafeMutableBytes { bytes in
      let words = bytes.bindMemory(to: UInt32.self)
      for index in words.indices {
        words[index] = UInt32(truncatingIfNeeded: index) &* 2_654_435_761
      }
    }
    return Message(.call, target: 1, call: id, body: Data("{\"sector\":\(id)}".utf8), bulk: bulk)
  }
}

extension TCPTransport {
  /// Connects to an endpoint where nothing listens any more, until that fails: a process that another test is just
  /// starting may share the closed socket for a moment.
  func refusal(by endpoint: Endpoint) async throws -> TransportError {
    while true {
      do {
        try await connect(to: endpoint, timeout: .ample).close(saying: nil)
      } catch let error as TransportError {
        return error
      }
    }
  }
}
