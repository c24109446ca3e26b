import NIOSSL
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
    let ordered =
      keys.filter { announced.contains($0.fingerprint) }
      + keys.filter { !announced.contains($0.fingerprint) }
    return try ordered.map { key in
      TransportSecurity.Side(context: try client(for: key)) { key.fingerprint }
    }
  }

  private func client(for key: ClusterKey) throws -> NIOSSLContext {
    let name = key.fingerprint
    if let known = clients.withLock({ $0[name] }) { return known }
    var configuration = configuration
    let secret = key.preSharedKey
    configuration.pskClientProvider = { _ in
      PSKClientIdentityResponse(key: NIOSSLSecureBytes(secret), identity: name)
    }
    let context = try NIOSSLContext(configuration: configuration)
    clients.withLock { clients in
      // A key that is no longer held is not kept in memory by its context.
      let held = Set(ring.keys.fingerprints)
      clients = clients.filter { held.contains($0.key) }
      clients[name] = context
    }
    return context
  }

  /// The server's side of one connection, which takes the keys that are held during its handshake.
  func serverSide() throws -> TransportSecurity.Side {
    let chosen = Chosen()
    var configuration = configuration
    configuration.pskServerProvider = { [ring] context in
      let key = ring.keys.all.first { $0.fingerprint == context.clientIdentity }
      guard let key else { throw OtherKey() }
      chosen.fingerprint.withLock { $0 = key.fingerprint }
      return PSKServerIdentityResponse(key: NIOSSLSecureBytes(key.preSharedKey))
    }
    return TransportSecurity.Side(context: try NIOSSLContext(configuration: configuration)) {
      chosen.fingerprint.withLock { $0 }
    }
  }

  /// The key that the client of one connection has named.
  private final class Chosen: Sendable {
    let fingerprint = Mutex<String?>(nil)
  }

  private struct OtherKey: Error {}
}
