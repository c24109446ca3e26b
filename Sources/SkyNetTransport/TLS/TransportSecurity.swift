import NIOCore
package import NIOSSL
public import SkyNetKeys

/// How a transport's connections are secured. Both ends of a connection need the same.
public struct TransportSecurity: Sendable {
  /// What the TLS handlers of each side of a connection are made from.
  package struct TLS: Sendable {
    package let client: NIOSSLContext
    private let server: TLSConfiguration

    fileprivate init(client: TLSConfiguration, server: TLSConfiguration) throws {
      self.client = try NIOSSLContext(configuration: client)
      self.server = server
      // What is wrong with the configuration is known before anybody connects.
      _ = try serverContext()
    }

    /// A context for one accepted connection, and for no other.
    ///
    /// A server lets a client in that shows a ticket from an earlier connection, without asking for
    /// its key or looking at its certificate again: for two hours, or two days. BoringSSL has a
    /// setting against that, and swift-nio-ssl none. But what tickets are sealed with belongs to the
    /// context, so with one of its own each connection takes a ticket from no other.
    ///
    /// Certificates and keys are parsed once, with the configuration; a context only refers to them.
    package func serverContext() throws -> NIOSSLContext {
      try NIOSSLContext(configuration: server)
    }
  }

  /// `nil` if nothing is encrypted.
  package let tls: TLS?
  /// What tells clusters apart, and everybody may see: those with another one cannot be reached.
  /// `nil` if nothing is encrypted.
  public let fingerprint: String?

  private init(client: TLSConfiguration, server: TLSConfiguration, fingerprint: String) throws {
    tls = try TLS(client: client, server: server)
    self.fingerprint = fingerprint
  }

  private init() {
    tls = nil
    fingerprint = nil
  }

  /// Nothing is encrypted, and nobody is asked who they are: for a network that one trusts.
  public static let insecure = TransportSecurity()

  /// Members are those who hold the key.
  ///
  /// TLS 1.2 with ECDHE-PSK-CHACHA20-POLY1305 (RFC 7905): both sides prove that they have the key,
  /// and who gets hold of it later cannot read what was recorded before. There is no other version
  /// or cipher to be talked down to; TLS 1.3 has pre-shared keys too, but BoringSSL not for these.
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

  /// Members are those who have a certificate from the same CA. TLS 1.3; both sides verify.
  ///
  /// A member is known by its certificate's issuer, not by its host's name: nodes are found by
  /// address. So the CA should be the cluster's own.
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

  /// How long a peer may take to say that it has heard of a close. That it is gone is known anyway.
  private static let shutdownTimeout = TimeAmount.seconds(1)

  private struct OtherKey: Error {}
}
