import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTestKit
import Testing

@testable import SkyNetTransport

@Suite("Invitations", .timeLimit(.minutes(20)))
struct InvitationTests {
  private let keys = ClusterKeys(ClusterKey())

  private func open(
    _ code: InvitationCode, limits: UnauthenticatedLimits = UnauthenticatedLimits()
  ) async throws -> (invitation: Invitation, place: Endpoint) {
    let invitation = try await Invitation.open(
      port: 0, code: code, keys: { [keys] in keys }, limits: limits)
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

  /// The end is told with words, once no process that another test is just starting shares the closed socket.
  private func expectClosed(_ place: Endpoint, _ code: InvitationCode) async throws {
    while await !refusal(place, code).contains("was used, has expired or was closed") {
      try Task.checkCancellation()
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
    let invitation = try await Invitation.open(port: 0, code: code, keys: { both })
    let place = Endpoint(host: "127.0.0.1", port: invitation.endpoint.port)
    #expect(try await join(place, code) == both)
    #expect(await ending(invitation) == .used(host: "127.0.0.1"))
    try await expectClosed(place, code)
  }

  @Test("Three wrong codes close an invitation, and each is told so")
  func wrongCodes() async throws {
    let code = InvitationCode()
    let (invitation, place) = try await open(code)
    for _ in 0..<3 {
      let refusal = await refusal(place, InvitationCode())
      // Another one does not count, and the end would not come.
      try #require(refusal.hasPrefix("the code is wrong"))
    }
    #expect(await ending(invitation) == .wrongCodes)
    try await expectClosed(place, code)
  }

  @Test("An invitation whose time is up hands out nothing")
  func expired() async throws {
    let code = InvitationCode()
    let (invitation, place) = try await open(code)
    invitation.expire()
    #expect(await ending(invitation) == .expired)
    try await expectClosed(place, code)
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
      // One that came later may have taken the place of the invited one, which then tries again.
      while true {
        guard let joined = try? await join(place, code) else { continue }
        #expect(joined == keys)
        break
      }
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

  @Test("An invitation that is closed while the keys are kept tells that they were sent")
  func withdrawn() async throws {
    let code = InvitationCode()
    let (invitation, place) = try await open(code)
    let kept = try await Joining.join(place, code: code, timeout: .ample) { keys in
      invitation.withdraw()
      return keys
    }
    #expect(kept == keys)
    #expect(await ending(invitation) == .unconfirmed(host: "127.0.0.1"))
    let (unused, _) = try await open(code)
    unused.withdraw()
    #expect(await ending(unused) == .withdrawn)
  }

  @Test("A node is no invitation, says nothing of its key to a joining side, and logs what came")
  func node() async throws {
    let transport = TCPTransport(try TransportSecurity(key: keys.newest))
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    #expect(
      await refusal(listener.endpoint, InvitationCode()).contains("no invitation listens on"))
    let logged = await listener.refusals.first { _ in true }
    #expect(logged?.reason.hasPrefix("it wants to join by an invitation") == true)
  }

  @Test("A member that meets an invitation is told that it is no node, and so is the invitation")
  func member() async throws {
    let (invitation, place) = try await open(InvitationCode())
    defer { invitation.close() }
    let member = TCPTransport(try TransportSecurity(key: keys.newest))
    let error = await #expect(throws: TransportError.self) {
      try await member.connect(to: place, timeout: .ample, announced: [])
    }
    #expect(error?.code == .refused)
    #expect(error?.message.hasPrefix("`skynet invite` listens there, and no node") == true)
    for await case .refused(_, let reason) in invitation.news {
      #expect(reason.hasPrefix("it has no code, and perhaps looks for a node"))
      break
    }
  }

  @Test("The keys that are handed over are those of that moment")
  func current() async throws {
    let code = InvitationCode()
    let held = Watched(keys)
    let invitation = try await Invitation.open(port: 0, code: code, keys: { held.value })
    let place = Endpoint(host: "127.0.0.1", port: invitation.endpoint.port)
    let newer = ClusterKeys(ClusterKey())
    held.update { $0 = newer }
    #expect(try await join(place, code) == newer)
  }

  @Test("Keys that cannot be read at that moment end the invitation, with the reason")
  func unreadable() async throws {
    struct Gone: Error {}
    let code = InvitationCode()
    let invitation = try await Invitation.open(port: 0, code: code, keys: { throw Gone() })
    let place = Endpoint(host: "127.0.0.1", port: invitation.endpoint.port)
    #expect(await refusal(place, code).contains("was closed"))
    #expect(await ending(invitation) == .unreadable(reason: "Gone()"))
  }

  @Test("More than the keys can be is no text of an invitation, and nothing that was used")
  func tooLong() throws {
    let text = String(repeating: "x", count: InvitationWire.maximumBytes + 1)
    #expect(throws: InvitationWire.TooLong.self) { try InvitationWire.keys(in: text) }
    #expect(try InvitationWire.keys(in: "skynet-keys 1\n") == nil)
    #expect(try InvitationWire.keys(in: InvitationWire.text(of: keys)) == keys)
  }
}
