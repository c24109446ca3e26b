import SkyNetCluster
import SkyNetCore
import SkyNetTransport
import Testing

@Suite("Connecting and listening over TCP", .timeLimit(.minutes(20)))
struct ReachingTests {
  @Test("Each end knows the other's address")
  func addresses() async throws {
    let transport = TCPTransport(.insecure)
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    #expect(listener.endpoint.host == "127.0.0.1")
    #expect((1...65535).contains(listener.endpoint.port))
    let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
    let server = try #require(await listener.nextConnection())
    #expect(client.remoteAddress == listener.endpoint.description)
    #expect(server.remoteAddress.hasPrefix("127.0.0.1:"))
    #expect(server.remoteAddress != client.remoteAddress)
    client.close(saying: nil)
    server.close(saying: nil)
  }

  @Test("A port without a listener refuses the connection")
  func refused() async throws {
    // No other test is given this port by the kernel.
    let error = try await TCPTransport(.insecure).refusal(by: Endpoint(host: "127.0.0.1", port: 1))
    #expect(error.code == .cannotConnect)
    #expect(error.message == "127.0.0.1:1 cannot be reached: connection refused")
  }

  @Test("A port that is taken cannot be listened on")
  func portInUse() async throws {
    let listener = try await TCPTransport(.insecure).listen(on: .loopback)
    defer { listener.close() }
    let error = await #expect(throws: TransportError.self) {
      _ = try await TCPTransport(.insecure).listen(on: listener.endpoint)
    }
    #expect(error?.code == .cannotListen)
    #expect(
      error?.message == "cannot listen on \(listener.endpoint): address already in use")
  }

  @Test("An unknown host is named in the error")
  func unknownHost() async throws {
    let error = await #expect(throws: TransportError.self) {
      _ = try await TCPTransport(.insecure).connect(
        to: Endpoint(host: "no such host", port: 4040), timeout: .ample)
    }
    #expect(error?.code == .cannotConnect)
    #expect(error?.message == "no such host:4040 cannot be reached: unknown host")
  }

  @Test("An address of another machine cannot be listened on")
  func foreignAddress() async throws {
    // An address reserved for documentation, which no machine has.
    let error = await #expect(throws: TransportError.self) {
      _ = try await TCPTransport(.insecure).listen(on: Endpoint(host: "192.0.2.1", port: 0))
    }
    #expect(error?.code == .cannotListen)
    #expect(error?.message == "cannot listen on 192.0.2.1:0: this machine has no such address")
  }

  @Test("A listener on all addresses takes IPv4 too")
  func everywhere() async throws {
    let transport = TCPTransport(.insecure)
    let listener = try await transport.listen(on: .everywhere(port: 0))
    defer { listener.close() }
    let client = try await transport.connect(
      to: Endpoint(host: "127.0.0.1", port: listener.endpoint.port), timeout: .ample)
    let server = try #require(await listener.nextConnection())
    client.close(saying: nil)
    server.close(saying: nil)
  }
}
