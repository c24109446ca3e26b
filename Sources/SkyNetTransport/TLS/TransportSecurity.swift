import NIOCore
package import NIOSSL
public import SkyNetKeys

/// How a transport's connections are encrypted, and which peers are members of the cluster. Both ends of a
/// connection need the same.
public struct TransportSecurity: Sendable {
  /// The configurations from which the TLS handlers of both sides of a connection are made.
  package struct TLS: Sendable {
    package let client: NIOSSLContext
    private let server: TLSConfiguration

    fileprivate init(client: TLSConfiguration, server: TLSConfiguration) throws {
      self.client = try NIOSSLContext(configuration: client)
      self.server = server
      // A fault in the configuration shows now, and not at the first connection.
      _ = try serverContext()
    }

    /// Makes a context for one accepted connection, and for no other.
    ///
    /// A TLS server lets a client resume an earlier session by a ticket, without its key or certificate, for
    /// two hours or two days. BoringSSL has a setting against that, which swift-nio-ssl does not pass on. But
    /// the secrets that seal tickets belong to the context, so a connection with its own context takes no
    /// ticket of another.
    ///
    /// Certificates and keys are parsed once, with the configuration; contexts only refer to them.
    package func serverContext() throws -> NIOSSLContext {
      try NIOSSLContext(configuration: server)
    }
  }

  /// `nil` if nothing is encrypted.
  package let tls: TLS?
  /// A public name of the cluster; peers with another one are of another cluster. `nil` if nothing is
  /// encrypted.
  package let fingerprint: String?

  private init(client: TLSConfiguration, server: TLSConfiguration, fingerprint: String) throws {
    tls = try TLS(client: client, server: server)
    self.fingerprint = fingerprint
  }

  private init() {
    tls = nil
    fingerprint = nil
  }

  /// No encryption and no authentication: every peer is a member. For networks that are trusted.
  public static let insecure = TransportSecurity()

  /// Peers that hold the key are members.
  ///
  /// TLS 1.2 with ECDHE-PSK-CHACHA20-POLY1305 (RFC 7905): both sides prove that they hold the key, and a key
  /// that leaks later does not open traffic that was recorded before. No other version or cipher is accepted,
  /// so there is nothing to downgrade to. TLS 1.3 has pre-shared keys too, but BoringSSL does not support
  /// external ones there.
  ///
  /// - Throws: `NIOSSLError` if TLS cannot be set up.
  public init(key: ClusterKey) throws {
    var configuration = TLSConfiguration.makePreSharedKeyConfiguration()
    configuration.cipherSuites = "ECDHE-PSK-CHACHA20-POLY1305"
    configuration.minimumTLSVersion = .tlsv12
    configuration.maximumTLSVersion = .tlsv12
    configuration.shutdownTimeout = Self.shutdownTimeout
    let (name, secret) = (key.fingerprint, key.preSharedKey)
    var (client, server) = (configuration, configuration)
    client.pskClientProvider = { _ in
      PSKClientIdentityResponse(key: NIOSSLSecureBytes(secret), identity: name)
    }
    server.pskServerProvider = { context in
      guard context.clientIdentity == name else { throw OtherKey() }
      return PSKServerIdentityResponse(key: NIOSSLSecureBytes(secret))
    }
    try self.init(client: client, server: server, fingerprint: name)
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
      try self.init(client: client, server: server, fingerprint: content.fingerprint)
    } catch {
      throw CertificateFiles.Failure(
        "\(files.key) is not the private key of \(files.certificate)")
    }
  }

  /// How long a close waits for the peer's closing alert, which nothing depends on.
  private static let shutdownTimeout = TimeAmount.seconds(1)

  private struct OtherKey: Error {}
}
