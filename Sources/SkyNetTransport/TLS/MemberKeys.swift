import NIOSSL
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import Synchronization

/// TLS by the cluster's keys: the configurations of both sides of a connection, for the keys that are held when
/// the connection is made.
///
/// A client names one key by its fingerprint, as its PSK identity, and the server looks for that key among those
/// that it holds.
final class MemberKeys: Sendable {
  let ring: KeyRing
  private let configuration: TLSConfiguration
  /// The contexts of the side that connects, by the keys' fingerprints.
  private let clients = Mutex<[String: NIOSSLContext]>([:])

  /// - Throws: `NIOSSLError` if TLS cannot be set up.
  init(_ ring: KeyRing) throws {
    self.ring = ring
    configuration = TransportSecurity.preSharedKeyConfiguration
    // A fault in the configuration shows now, and not at the first connection.
    _ = try (serverSide(), client(for: ring.keys.newest))
  }

  /// The keys to connect to a peer with, in the order in which to try them: first those that the peer announces,
  /// newest first, then the others, as an announcement may be out of date.
  ///
  /// - Parameter announced: the fingerprints that the peer announces; empty if it announces nothing.
  func clientSides(announced: [String]) throws -> [TransportSecurity.Side] {
    let keys = ring.keys.all
    forgetRetired()
    let ordered =
      keys.filter { announced.contains($0.fingerprint) }
      + keys.filter { !announced.contains($0.fingerprint) }
    return try ordered.map { key in
      TransportSecurity.Side(
        context: try client(for: key), explain: Self.explainOnClient,
        fingerprint: { key.fingerprint })
    }
  }

  /// Lets go of the contexts, and so of the secrets, of keys that are no longer held. This happens when a
  /// connection is made, so the last ones stay in memory until then.
  private func forgetRetired() {
    let held = Set(ring.keys.fingerprints)
    clients.withLock { $0 = $0.filter { held.contains($0.key) } }
  }

  /// This side names its key to every server but an invitation.
  private static func explainOnClient(_ error: TransportError) -> TransportError {
    guard TLSFault.isNoIdentity(error) else { return error }
    return TransportError(
      .refused,
      "`\(ProgramName.text) invite` listens there, and no node: is it the right port? To become a member by the "
        + "invitation: \(ProgramName.text) join", cause: error.cause)
  }

  private func client(for key: ClusterKey) throws -> NIOSSLContext {
    let name = key.fingerprint
    if let known = clients.withLock({ $0[name] }) { return known }
    var configuration = configuration
    let secret = key.preSharedKey
    configuration.pskClientProvider = { context in
      guard context.hint != InvitationWire.identity else { throw NoNode() }
      return PSKClientIdentityResponse(key: NIOSSLSecureBytes(secret), identity: name)
    }
    let context = try NIOSSLContext(configuration: configuration)
    clients.withLock { $0[name] = context }
    return context
  }

  /// The server's side of one connection, which takes the keys that are held during its handshake.
  func serverSide() throws -> TransportSecurity.Side {
    let chosen = Chosen()
    var configuration = configuration
    configuration.pskServerProvider = { [ring] context in
      let key = ring.keys.all.first { $0.fingerprint == context.clientIdentity }
      guard let key else {
        if context.clientIdentity == InvitationWire.identity {
          chosen.isJoining.withLock { $0 = true }
        }
        throw OtherKey()
      }
      chosen.fingerprint.withLock { $0 = key.fingerprint }
      return PSKServerIdentityResponse(key: NIOSSLSecureBytes(key.preSharedKey))
    }
    return TransportSecurity.Side(
      context: try NIOSSLContext(configuration: configuration),
      explain: { error in
        guard chosen.isJoining.withLock({ $0 }) else { return error }
        return TransportError(
          .refused,
          "it wants to join by an invitation, and this is a node's port: it needs the whole line "
            + "that `\(ProgramName.text) invite` printed", cause: error.cause)
      },
      fingerprint: { chosen.fingerprint.withLock { $0 } })
  }

  /// What the client of one connection has named.
  private final class Chosen: Sendable {
    /// The key.
    let fingerprint = Mutex<String?>(nil)
    /// Whether it named an invitation in place of a key.
    let isJoining = Mutex(false)
  }

  private struct OtherKey: Error {}
  /// The server is an invitation.
  private struct NoNode: Error {}
}
