// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import NIOCore
import NIOSSL
import SkyNetKeys

/// What the two sides of an invitation say to each other, within their TLS connection.
///
/// The inviting side begins: a line `skynet-keys 1`, a line for each key, newest first, and an empty line. The
/// joining side answers `ok` and a line feed when it has kept them, and closes.
enum InvitationWire {
  /// The PSK identity. It says nothing of the code, and tells an invitation from a node.
  static let identity = "skynet-invitation-1"
  private static let heading = "skynet-keys 1\n"
  static let confirmation = "ok\n"
  /// More bytes than this are no keys.
  static let maximumBytes = 1024

  static func text(of keys: ClusterKeys) -> String { heading + keys.fileText + "\n" }

  /// Reads the keys of a text that is complete.
  ///
  /// - Returns: `nil` if the text is not complete yet.
  /// - Throws: ``KeyError`` if it holds no keys; ``UnknownHeading`` or ``TooLong`` if it is no such text.
  static func keys(in text: String) throws -> ClusterKeys? {
    guard text.utf8.count <= maximumBytes else { throw TooLong() }
    guard text.hasSuffix("\n\n") else { return nil }
    guard text.hasPrefix(heading) else { throw UnknownHeading() }
    return try ClusterKeys(text: text.dropFirst(heading.count))
  }

  struct UnknownHeading: Error {}
  struct TooLong: Error {}

  static func serverContext(_ code: InvitationCode) throws -> NIOSSLContext {
    var configuration = TransportSecurity.preSharedKeyConfiguration
    let secret = code.preSharedKey
    // Tells a member, before it names its key, that this is no node.
    configuration.pskHint = identity
    configuration.pskServerProvider = { context in
      guard context.clientIdentity == identity else { throw NoInvitation() }
      return PSKServerIdentityResponse(key: NIOSSLSecureBytes(secret))
    }
    return try NIOSSLContext(configuration: configuration)
  }

  static func clientContext(_ code: InvitationCode) throws -> NIOSSLContext {
    var configuration = TransportSecurity.preSharedKeyConfiguration
    let secret = code.preSharedKey
    configuration.pskClientProvider = { _ in
      PSKClientIdentityResponse(key: NIOSSLSecureBytes(secret), identity: identity)
    }
    return try NIOSSLContext(configuration: configuration)
  }

  private struct NoInvitation: Error {}
}
