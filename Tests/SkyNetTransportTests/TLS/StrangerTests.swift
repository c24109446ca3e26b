import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport
import Testing

@Suite("A stranger costs little", .timeLimit(.minutes(20)))
struct StrangerTests {
  /// The beginning of a TLS handshake record of 16 KiB, whose rest never comes.
  private static let beginning: [UInt8] = [0x16, 0x03, 0x01, 0x40, 0x00]

  private func listen(
    _ strangers: StrangerLimits, key: ClusterKey = ClusterKey()
  ) async throws -> (transport: TCPTransport, listener: any Listener) {
    let transport = TCPTransport(try TransportSecurity(key: key), strangers: strangers)
    return (transport, try await transport.listen(on: .loopback))
  }

  /// The next refusal's reason.
  private func refusal(at listener: any Listener) async -> String? {
    await listener.refusals.first { _ in true }?.reason
  }

  @Test("When one comes too many the oldest goes, and a member gets in")
  func crowd() async throws {
    let limits = StrangerLimits(connections: 3, patience: .ample)
    let (transport, listener) = try await listen(limits)
    defer { listener.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { _ = try? await RawPeer.exchange(Self.beginning, with: listener.endpoint) }
      }
      // Seven of them are turned away, as each of the last seven comes.
      for try await _ in group.prefix(7) {}
      #expect(await refusal(at: listener) == "too many connect without showing who they are")
      let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
      let server = try #require(await listener.nextConnection())
      for end in [client, server] { end.close(saying: nil) }
      group.cancelAll()
    }
  }

  @Test("Who is slow is turned away")
  func slow() async throws {
    let (_, listener) = try await listen(StrangerLimits(patience: .milliseconds(100)))
    defer { listener.close() }
    let answer = try await RawPeer.exchange(Self.beginning, with: listener.endpoint)
    #expect(answer.isEmpty)
    let reason = await refusal(at: listener)
    #expect(
      reason?.hasPrefix("it did not show within 0.1 s who it is; ") == true, "\(reason ?? "")")
  }

  @Test("Who sends a lot is turned away")
  func loud() async throws {
    let (_, listener) = try await listen(StrangerLimits(bytes: 1000, patience: .ample))
    defer { listener.close() }
    // A client hello of 16 KiB may be right; this one has only begun.
    let bytes = Self.beginning + [UInt8](repeating: 0, count: 1200)
    let answer = try await RawPeer.exchange(bytes, with: listener.endpoint)
    #expect(answer.isEmpty)
    let reason = await refusal(at: listener)
    #expect(reason?.hasSuffix("bytes without showing who it is") == true, "\(reason ?? "")")
  }

  @Test("A member is no stranger: others may come in any number")
  func members() async throws {
    let (transport, listener) = try await listen(StrangerLimits(connections: 1, patience: .ample))
    defer { listener.close() }
    for _ in 0..<5 {
      let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
      let server = try #require(await listener.nextConnection())
      server.send(.last)
      server.close(saying: nil)
      try await client.expect([.last])
    }
  }

  @Test("Both ends of a refusal know why")
  func otherKey() async throws {
    let (_, listener) = try await listen(StrangerLimits(patience: .ample))
    defer { listener.close() }
    let stranger = TCPTransport(try TransportSecurity(key: ClusterKey()))
    let error = await #expect(throws: TransportError.self) {
      try await stranger.connect(to: listener.endpoint, timeout: .ample)
    }
    #expect(error?.code == .refused)
    let reason = await refusal(at: listener)
    #expect(reason?.contains("another cluster key") == true)
    #expect(error?.message == reason)
  }

  @Test("A peer that goes away during the handshake is lost, and not refused")
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
