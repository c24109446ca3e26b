import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import Testing

@testable import SkyNetTransport

@Suite("Invitations", .timeLimit(.minutes(20)))
struct InvitationTests {
  private let keys = ClusterKeys(ClusterKey())

  private func open(
    _ code: InvitationCode, limits: UnauthenticatedLimits = UnauthenticatedLimits()
  ) async throws -> (invitation: Invitation, place: Endpoint) {
    let invitation = try await Invitation.open(port: 0, code: code, keys: keys, limits: limits)
    return (invitation, Endpoint(host: "127.0.0.1", port: invitation.endpoint.port))
  }

  private func join(_ place: Endpoint, _ code: InvitationCode) async throws -> ClusterKeys {
    try await Joining.join(place, code: code, timeout: .ample) { $0 }
  }

  /// The reason why the code does not get the keys.
  private func refusal(_ place: Endpoint, _ code: InvitationCode) async -> String {
    do {
      _ = try await join(place, code)
      return "it got the keys"
    } catch {
      return "\(error)"
    }
  }

  private func ending(_ invitation: Invitation) async -> InvitationEnding? {
    for await case .ended(let ending) in invitation.news { return ending }
    return nil
  }

  @Test("The code gets all keys, once, and a used invitation is refused with words")
  func used() async throws {
    let code = InvitationCode()
    let both = try keys.adding(ClusterKeys(ClusterKey()))
    let invitation = try await Invitation.open(port: 0, code: code, keys: both)
    let place = Endpoint(host: "127.0.0.1", port: invitation.endpoint.port)
    #expect(try await join(place, code) == both)
    #expect(await ending(invitation) == .used(host: "127.0.0.1"))
    #expect(await refusal(place, code).contains("was used, has expired or was closed"))
  }

  @Test("Three wrong codes close an invitation, and each is told so")
  func wrongCodes() async throws {
    let code = InvitationCode()
    let (invitation, place) = try await open(code)
    for _ in 0..<3 {
      #expect(await refusal(place, InvitationCode()).hasPrefix("the code is wrong"))
    }
    #expect(await ending(invitation) == .wrongCodes)
    #expect(await refusal(place, code).contains("was used, has expired or was closed"))
  }

  @Test("An invitation whose time is up hands out nothing")
  func expired() async throws {
    let code = InvitationCode()
    let (invitation, place) = try await open(code)
    invitation.expire()
    #expect(await ending(invitation) == .expired)
    #expect(await refusal(place, code).contains("was used, has expired or was closed"))
  }

  @Test("Connections that say nothing, or something else, do not keep the invited one out")
  func otherConnections() async throws {
    let code = InvitationCode()
    let limits = UnauthenticatedLimits(connections: 3, handshakeTimeout: .ample)
    let (invitation, place) = try await open(code, limits: limits)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { _ = try? await RawPeer.exchange([0x16, 3, 1], with: place) }
        group.addTask { _ = try? await RawPeer.exchange(Array("hello".utf8), with: place) }
      }
      let member = TCPTransport(try TransportSecurity(key: keys.newest))
      let error = await #expect(throws: (any Error).self) {
        try await member.connect(to: place, timeout: .ample, announced: [])
      }
      #expect(error != nil)
      #expect(try await join(place, code) == keys)
      group.cancelAll()
    }
    invitation.close()
  }

  @Test("A joining side that does not keep the keys leaves the invitation used and unconfirmed")
  func unconfirmed() async throws {
    struct Full: Error {}
    let code = InvitationCode()
    let (invitation, place) = try await open(code)
    await #expect(throws: Full.self) {
      try await Joining.join(place, code: code, timeout: .ample) { _ in throw Full() }
    }
    #expect(await ending(invitation) == .unconfirmed(host: "127.0.0.1"))
  }

  @Test("A node is no invitation, and says nothing of its key to a joining side")
  func node() async throws {
    let transport = TCPTransport(try TransportSecurity(key: keys.newest))
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    #expect(
      await refusal(listener.endpoint, InvitationCode()).contains("no invitation listens on"))
  }

  @Test("The address with the way out comes first, then IPv4, and the loopback only if alone")
  func addresses() {
    let all = [
      "127.0.0.1", "::1", "fe80::1", "2001:db8::5", "172.17.0.1", "10.0.0.5", "169.254.1.1",
    ]
    #expect(
      OwnAddresses.ordered(all, routed: "10.0.0.5") == ["10.0.0.5", "172.17.0.1", "2001:db8::5"])
    #expect(OwnAddresses.ordered(all, routed: nil) == ["172.17.0.1", "10.0.0.5", "2001:db8::5"])
    #expect(OwnAddresses.ordered(["127.0.0.1", "::1"], routed: nil) == ["127.0.0.1"])
  }
}
