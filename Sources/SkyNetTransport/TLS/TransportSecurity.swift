import NIOCore
package import NIOSSL
import SkyNetCluster
public import SkyNetKeys

/// How a transport's connections are encrypted, and which peers are members of the cluster. Both ends of a
/// connection need the same.
public struct TransportSecurity: Sendable {
  /// What one side of one connection needs for TLS.
  package struct Side: Sendable {
    package let context: NIOSSLContext
    /// The fingerprint of the key, or of the CA, by which the connection was made. With a key it is known
    /// after the handshake; the server's side has `nil` before.
    let fingerprint: @Sendable () -> String?
    /// Puts the failure of the handshake into better words, where this side knows more than TLS tells.
    let explain: @Sendable (TransportError) -> TransportError

    init(
      context: NIOSSLContext, explain: @escaping @Sendable (TransportError) -> TransportError,
      fingerprint: @escaping @Sendable () -> String?
    ) {
      self.context = context
      self.explain = explain
      self.fingerprint = fingerprint
    }

    init(context: NIOSSLContext, fingerprint: @escaping @Sendable () -> String?) {
      self.init(context: context, explain: { $0 }, fingerprint: fingerprint)
    }
  }

  /// Makes the TLS contexts of both sides of a connection.
  package struct TLS: Sendable {
    private enum Identity: Sendable {
      case keys(MemberKeys)
      case certificates(client: NIOSSLContext, server: TLSConfiguration, fingerprint: String)
    }

    private let identity: Identity

    fileprivate init(_ keys: MemberKeys) { identity = .keys(keys) }

    fileprivate init(
      client: TLSConfiguration, server: TLSConfiguration, fingerprint: String
    ) throws {
      identity = .certificates(
        client: try NIOSSLContext(configuration: client), server: server,
        fingerprint: fingerprint)
      // A fault in the configuration shows now, and not at the first connection.
      _ = try serverSide()
    }

    /// The ways to connect to a peer, in the order in which to try them.
    ///
    /// - Parameter announced: the fingerprints that the peer announces; empty if it announces nothing.
    package func clientSides(announced: [String] = []) throws -> [Side] {
      switch identity {
      case .keys(let keys): try keys.clientSides(announced: announced)
      case .certificates(let client, _, let fingerprint):
        [Side(context: client) { fingerprint }]
      }
    }

    /// Makes a context for one accepted connection, and for no other.
    ///
    /// A TLS server lets a client resume an earlier session by a ticket, without its key or certificate, for
    /// two hours or two days. BoringSSL has a setting against that, which swift-nio-ssl does not pass on. But
    /// the secrets that seal tickets belong to the context, so a connection with its own context takes no
    /// ticket of another.
    ///
    /// Certificates and keys are parsed once, with the configuration; contexts only refer to them.
    package func serverSide() throws -> Side {
      switch identity {
      case .keys(let keys): try keys.serverSide()
      case .certificates(_, let server, let fingerprint):
        Side(context: try NIOSSLContext(configuration: server)) { fingerprint }
      }
    }

    /// Public names of the cluster, newest first.
    fileprivate var fingerprints: [String] {
      switch identity {
      case .keys(let keys): keys.ring.keys.fingerprints
      case .certificates(_, _, let fingerprint): [fingerprint]
      }
    }

    /// The keys that may change while the process runs; `nil` if they cannot.
    fileprivate var changingKeys: KeyRing? {
      guard case .keys(let keys) = identity, keys.ring.file != nil else { return nil }
      return keys.ring
    }
  }

  /// `nil` if nothing is encrypted.
  package let tls: TLS?

  /// Public names of the cluster, newest first; peers without any of them are of another cluster. Empty if
  /// nothing is encrypted. There is one for each key that is held at present.
  package var fingerprints: [String] { tls?.fingerprints ?? [] }

  /// The keys that may change while the process runs; `nil` if they cannot.
  package var changingKeys: KeyRing? { tls?.changingKeys }

  private init(_ tls: TLS?) { self.tls = tls }

  /// No encryption and no authentication: every peer is a member. For networks that are trusted.
  public static let insecure = TransportSecurity(nil)

  /// Peers that hold the key are members.
  ///
  /// TLS 1.2 with ECDHE-PSK-CHACHA20-POLY1305 (RFC 7905): both sides prove that they hold the key, and a key
  /// that leaks later does not open traffic that was recorded before. No other version or cipher is accepted,
  /// so there is nothing to downgrade to. TLS 1.3 has pre-shared keys too, but BoringSSL does not support
  /// external ones there.
  ///
  /// - Throws: `NIOSSLError` if TLS cannot be set up.
  public init(key: ClusterKey) throws {
    try self.init(keys: KeyRing(ClusterKeys(key)))
  }

  /// Peers that hold any of the ring's keys are members, as in ``init(key:)``. A change of the ring counts
  /// from the next handshake on.
  ///
  /// - Throws: `NIOSSLError` if TLS cannot be set up.
  package init(keys: KeyRing) throws {
    self.init(TLS(try MemberKeys(keys)))
  }

  /// The configuration of both sides of connections by a pre-shared key, without the key.
  static var preSharedKeyConfiguration: TLSConfiguration {
    var configuration = TLSConfiguration.makePreSharedKeyConfiguration()
    configuration.cipherSuites = "ECDHE-PSK-CHACHA20-POLY1305"
    configuration.minimumTLSVersion = .tlsv12
    configuration.maximumTLSVersion = .tlsv12
    configuration.shutdownTimeout = shutdownTimeout
    return configuration
  }

  /// Peers with a certificate from the same CA are members. TLS 1.3; both sides verify.
  ///
  /// Only the certificate's chain and dates are verified, not a host name, as nodes are found by address. So
  /// the CA should be the cluster's own.
  ///
  /// - Throws: ``CertificateFiles/Failure``.
  public init(certificates files: CertificateFiles) throws {
    let content = try files.read()
    var server = TLSConfiguration.makeServerConfigurationWithMTLS(
      certificateChain: content.chain, privateKey: content.key, trustRoots: content.roots)
    server.minimumTLSVersion = .tlsv13
    server.shutdownTimeout = Self.shutdownTimeout
    var client = TLSConfiguration.makeClientConfiguration()
    client.minimumTLSVersion = .tlsv13
    client.shutdownTimeout = Self.shutdownTimeout
    client.certificateVerification = .noHostnameVerification
    client.trustRoots = content.roots
    client.certificateChain = content.chain
    client.privateKey = content.key
    do {
      self.init(try TLS(client: client, server: server, fingerprint: content.fingerprint))
    } catch {
      throw CertificateFiles.Failure(
        "\(files.key) is not the private key of \(files.certificate)")
    }
  }

  /// How long a close waits for the peer's closing alert, which nothing depends on.
  private static let shutdownTimeout = TimeAmount.seconds(1)
}
