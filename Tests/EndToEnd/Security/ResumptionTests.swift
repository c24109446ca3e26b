import Foundation
import SkyNetKeys
import Testing

/// A TLS session ticket, which a server gives to each accepted client, does not authenticate a
/// client again.
@Suite("TLS tickets", .timeLimit(.ample), .enabled(if: OpenSSL.isThere, OpenSSL.missing))
struct ResumptionTests {
  @Test("A ticket does not replace a certificate that has expired")
  func aTicketDoesNotTakeThePlaceOfACertificateThatHasExpired() async throws {
    try await Stage.with { stage in
      let ca = try await Authority("ca", stage)
      let (node, good) = (try await ca.member("a"), try await ca.member("good"))
      let expired = try await ca.member("expired", days: -1)
      let a = try await RunningNode(
        stage.skynet(
          ["node", "--name", "a", "--host", "127.0.0.1", "--no-discovery"] + node.options))
      let client = TicketClient(stage: stage, port: a.port)
      func options(_ files: MemberFiles) -> String {
        "-tls1_3 -cert \(files.certificate) -key \(files.key) -CAfile \(files.authority)"
      }
      #expect(try await client.connect(options(good), keepsTicket: true) == .withoutTicket)
      #expect(try await client.connect(options(good), showsTicket: true) == .withoutTicket)
      #expect(try await client.connect(options(expired), showsTicket: true) == .refused)
    }
  }

  @Test("A ticket does not replace the key")
  func aTicketDoesNotTakeThePlaceOfTheKey() async throws {
    try await Stage.with { stage in
      let key = try KeySource.find(environment: ["XDG_CONFIG_HOME": stage.account]).readOrMake()
        .keys.newest
      let a = try await stage.node("a")
      let client = TicketClient(stage: stage, port: a.port)
      func options(_ key: ClusterKey, as name: String) -> String {
        let secret = key.preSharedKey.map { String(format: "%02x", $0) }.joined()
        return "-tls1_2 -psk_identity \(name) -psk \(secret)"
      }
      let own = options(key, as: key.fingerprint)
      #expect(try await client.connect(own, keepsTicket: true) == .withoutTicket)
      #expect(try await client.connect(own, showsTicket: true) == .withoutTicket)
      let wrong = options(ClusterKey(), as: key.fingerprint)
      #expect(try await client.connect(wrong, showsTicket: true) == .refused)
    }
  }
}

/// The client of openssl, which keeps the ticket of one connection and presents it at the next.
struct TicketClient {
  enum Outcome: Hashable {
    /// The node accepted it by a full handshake, or by its ticket.
    case withoutTicket, byTicket
    case refused
  }

  let stage: Stage
  let port: Int

  /// Connects, sends nothing, and stays until the node closes the connection.
  func connect(
    _ options: String, keepsTicket: Bool = false, showsTicket: Bool = false
  ) async throws -> Outcome {
    let ticket = stage.file("ticket")
    let tickets =
      (keepsTicket ? "-sess_out \(ticket) " : "") + (showsTicket ? "-sess_in \(ticket) " : "")
    let story = try await stage.shell(
      "openssl s_client -ign_eof -connect 127.0.0.1:\(port) \(tickets) \(options) </dev/null"
    ).end()
    if keepsTicket {
      #expect(FileManager.default.fileExists(atPath: ticket), "\(story.output)")
    }
    // A node's hello comes after the handshake.
    guard story.output.contains(where: { $0.contains("protocolVersion") }) else { return .refused }
    return story.output.contains { $0.hasPrefix("Reused, ") } ? .byTicket : .withoutTicket
  }
}
