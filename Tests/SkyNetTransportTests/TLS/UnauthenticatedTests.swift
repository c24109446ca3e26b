import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport
import Testing

@Suite("Connections before authentication", .timeLimit(.minutes(20)))
struct UnauthenticatedTests {
  /// The beginning of a TLS handshake record of 16 KiB; the tests never send the rest.
  private static let beginning: [UInt8] = [0x16, 0x03, 0x01, 0x40, 0x00]

  private func listen(
    _ limits: UnauthenticatedLimits, key: ClusterKey = ClusterKey()
  ) async throws -> (transport: TCPTransport, listener: any Listener) {
    let transport = TCPTransport(try TransportSecurity(key: key), unauthenticated: limits)
    return (transport, try await transport.listen(on: .loopback))
  }

  /// The reason of the next refusal.
  private func refusal(at listener: any Listener) async -> String? {
    await listener.refusals.first { _ in true }?.reason
  }

  @Test("One connection too many ends the oldest, and a member gets in")
  func crowd() async throws {
    let limits = UnauthenticatedLimits(connections: 3, handshakeTimeout: .ample)
    let (transport, listener) = try await listen(limits)
    defer { listener.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { _ = try? await RawPeer.exchange(Self.beginning, with: listener.endpoint) }
      }
      // Each of the last seven to connect ends the oldest.
      for try await _ in group.prefix(7) {}
      #expect(await refusal(at: listener) == "too many unauthenticated connections")
      let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
      let server = try #require(await listener.nextConnection())
      for end in [client, server] { end.close(saying: nil) }
      group.cancelAll()
    }
  }

  @Test("A peer whose handshake takes too long is refused")
  func slow() async throws {
    let (_, listener) = try await listen(
      UnauthenticatedLimits(handshakeTimeout: .milliseconds(100)))
    defer { listener.close() }
    let answer = try await RawPeer.exchange(Self.beginning, with: listener.endpoint)
    #expect(answer.isEmpty)
    let reason = await refusal(at: listener)
    #expect(
      reason?.hasPrefix("it did not authenticate itself within 0.1 s; ") == true,
      "\(reason ?? "")")
  }

  @Test("A peer that sends too much before it is authenticated is refused")
  func loud() async throws {
    let (_, listener) = try await listen(
      UnauthenticatedLimits(bytes: 1000, handshakeTimeout: .ample))
    defer { listener.close() }
    // TLS allows a client hello of 16 KiB, so that only the limit ends this one.
    let bytes = Self.beginning + [UInt8](repeating: 0, count: 1200)
    let answer = try await RawPeer.exchange(bytes, with: listener.endpoint)
    #expect(answer.isEmpty)
    let reason = await refusal(at: listener)
    #expect(
      reason?.hasSuffix("bytes without authenticating itself") == true, "\(reason ?? "")")
  }

  @Test("Members do not count as unauthenticated connections")
  func members() async throws {
    let (transport, listener) = try await listen(
      UnauthenticatedLimits(connections: 1, handshakeTimeout: .ample))
    defer { listener.close() }
    for _ in 0..<5 {
      let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
      let server = try #require(await listener.nextConnection())
      server.send(.last)
      server.close(saying: nil)
      try await client.expect([.last])
    }
  }

  @Test("Both ends of a refused connection know the reason")
  func otherKey() async throws {
    let (_, listener) = try await listen(UnauthenticatedLimits(handshakeTimeout: .ample))
    defer { listener.close() }
    let outsider = TCPTransport(try TransportSecurity(key: ClusterKey()))
    let error = await #expect(throws: TransportError.self) {
      try await outsider.connect(to: listener.endpoint, timeout: .ample)
    }
    #expect(error?.code == .refused)
    let reason = await refusal(at: listener)
    #expect(reason?.contains("another cluster key") == true)
    #expect(error?.message == reason)
  }

  @Test("A peer that closes during the handshake is lost, and not refused")
  func gone() async throws {
    let listener = try await TCPTransport(.insecure).listen(on: .loopback)
    defer { listener.close() }
    let member = TCPTransport(try TransportSecurity(key: ClusterKey()))
    let connecting = Task { try await member.connect(to: listener.endpoint, timeout: .ample) }
    try #require(await listener.nextConnection()).close(saying: nil)
    let error = await #expect(throws: TransportError.self) { try await connecting.value }
    #expect(error?.code == .connectionLost)
  }
}
