import NIOSSL
import SkyNetKeys

/// A member's files in a cluster whose members are certified by a CA. All are in PEM.
public struct CertificateFiles: Hashable, Sendable {
  /// This member's certificate, followed by intermediate ones if there are any.
  public var certificate: String
  /// The certificate's private key.
  public var key: String
  /// The certificates of the cluster's CA.
  public var authority: String

  /// Each parameter is a file's path. ``TransportSecurity/init(certificates:)`` reads the files.
  public init(certificate: String, key: String, authority: String) {
    self.certificate = certificate
    self.key = key
    self.authority = authority
  }

  /// Why the files cannot be used, with the name of the file at fault.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in words for people.
    public let description: String

    init(_ description: String) { self.description = description }
  }

  struct Content {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource
    let roots: NIOSSLTrustRoots
    /// The CA's fingerprint.
    let fingerprint: String
  }

  /// - Throws: ``Failure``.
  func read() throws -> Content {
    let roots = try certificates(authority)
    let own = try certificates(certificate)
    let privateKey: NIOSSLPrivateKey
    do {
      privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
    } catch {
      throw Failure("\(key) cannot be read as a private key in PEM")
    }
    return Content(
      chain: own.map { .certificate($0) }, key: .privateKey(privateKey),
      roots: .certificates(roots),
      fingerprint: Fingerprint.of(try roots.map { try $0.toDERBytes() }))
  }

  private func certificates(_ path: String) throws -> [NIOSSLCertificate] {
    let found = try? NIOSSLCertificate.fromPEMFile(path)
    guard let found, !found.isEmpty else {
      throw Failure("\(path) cannot be read as certificates in PEM")
    }
    return found
  }
}
