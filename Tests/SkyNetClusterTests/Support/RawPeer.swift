import SkyNetCluster
import SkyNetCore
import SkyNetTestKit

/// A peer that sends the messages that a test wants, and keeps those that it receives.
final class RawPeer: Sendable {
  let received = Watched<[Message]>([])
  let isClosed = Watched(false)
  private let connection: any Connection

  init(_ connection: any Connection) {
    self.connection = connection
    Task { [received, isClosed] in
      try? await connection.receive { message in received.update { $0.append(message) } }
      isClosed.update { $0 = true }
    }
  }

  func send(_ message: Message) { connection.send(message) }

  func sayHello(
    name: String = "raw", slots: Int = 1, version: Int = SkyNetVersion.wireProtocol,
    heldBytes: Int = WireLimits().announcedHeld, scans: [ScanKind] = [ProbeScan.kind]
  ) {
    let hello = Hello(
      protocolVersion: version, name: name, incarnation: Incarnation(), slots: slots,
      timeout: .seconds(5), scans: scans, heldBytes: heldBytes)
    send(Message(.hello, encoding: hello))
  }

  func close() { connection.close(saying: nil) }

  /// Waits for a message of this kind.
  func message(_ kind: FrameKind) async throws -> Message {
    try await received.take { $0.first { $0.kind == kind } }
  }
}

extension TestCluster {
  /// Connects to a node as a peer that has not introduced itself.
  func rawPeer(to host: String) async throws -> RawPeer {
    let transport = network.transport(host: "raw").peers
    return RawPeer(
      try await transport.connect(to: Endpoint(host: host, port: 7000), timeout: .seconds(1)))
  }

  /// Listens on a host that is not a node, and greets each program that connects.
  func rawListener(_ host: String, _ greet: @escaping @Sendable (RawPeer) -> Void) async throws {
    let listener = try await network.transport(host: host).peers.listen(
      on: Endpoint(host: host, port: 7000))
    Task {
      for await connection in listener.connections { greet(RawPeer(connection)) }
    }
  }
}
