import NIOSSL
import SkyNetCluster
import SkyNetCore

/// TLS's errors, in words for people.
///
/// The words about keys and certificates hold for handshakes alone. After a handshake TLS fails for one reason
/// only: the bytes that arrive are not those that were sent.
///
/// BoringSSL's reasons are recognised by their names in its error strings, as its codes are not public.
enum TLSFault {
  /// Why a handshake failed.
  ///
  /// - Parameter elapsed: how long the handshake had taken.
  static func ofHandshake(_ error: any Error, after elapsed: Duration) -> TransportError {
    let reason = "\(error)"
    if let text = certificateAlert(in: reason) ?? text(for: reason, in: handshakeTexts) {
      return TransportError(.refused, text, cause: error)
    }
    // A peer with another key names that key, and is refused for it before. So the bytes were changed on
    // their way, or the peer names this key without holding it.
    if damage.contains(where: reason.contains) {
      return TransportError(
        .connectionLost,
        "the handshake broke: what arrived is not what was sent, or it does not hold the key "
          + "that it names (\(name(in: reason)))", cause: error)
    }
    switch error {
    // A connection that ends during the handshake says nothing of keys.
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])):
      return .lost(after: elapsed)
    // A reason without words above has nothing to do with keys, and another try may succeed.
    case is NIOSSLError, is BoringSSLError:
      return TransportError(
        .connectionLost, "the handshake broke (\(name(in: reason)))", cause: error)
    default: return broken(IOReason.text(for: error), error)
    }
  }

  /// Whether a handshake failed since the peer does not hold the key that this side named.
  static func isOtherKey(_ error: TransportError) -> Bool {
    error.code == .refused && error.cause.map { "\($0)".contains(unknownIdentity) } == true
  }

  /// Whether a handshake failed since this side refused what the peer says of itself: as the server, the key
  /// that the client names; as the client, a server that hands out an invitation.
  static func isNoIdentity(_ error: TransportError) -> Bool {
    error.code == .refused && error.cause.map { "\($0)".contains(identityNotFound) } == true
  }

  /// Whether a handshake failed since the peer found nothing on this side that it accepts.
  static func isNoKey(_ error: TransportError) -> Bool {
    error.code == .refused && error.cause.map { "\($0)".contains(failureAlert) } == true
  }

  /// Whether the peer closed the connection before the handshake was complete.
  static func isCut(_ error: TransportError) -> Bool { error.cause is HandshakeCut }

  /// Whether a handshake failed since the two sides hold different secrets under the same name, or since bytes
  /// were changed on their way.
  static func isWrongSecret(_ error: any Error) -> Bool {
    let reason = "\(error)"
    return damage.contains(where: reason.contains)
  }

  /// Why a connection ended after this side's handshake.
  ///
  /// - Parameter hasHeard: whether the peer has sent anything since. With TLS 1.3, the side that connects
  ///   completes its handshake before the peer has checked the certificate.
  static func afterHandshake(_ error: any Error, hasHeard: Bool) -> TransportError {
    let reason = "\(error)"
    if !hasHeard, let text = certificateAlert(in: reason) {
      return TransportError(.refused, text, cause: error)
    }
    return broken("what arrived is not what was sent (\(name(in: reason)))", error)
  }

  private static func broken(_ text: String, _ cause: any Error) -> TransportError {
    TransportError(.connectionLost, "the connection broke: \(text)", cause: cause)
  }

  /// BoringSSL's name of the reason, without codes and source lines.
  private static func name(in reason: String) -> String {
    reason.firstMatch(of: /OPENSSL_internal:(\w+)/).map { String($0.1) } ?? reason
  }

  /// The text of the first name that the reason contains.
  private static func text(for reason: String, in texts: [(String, String)]) -> String? {
    texts.first { reason.contains($0.0) }?.1
  }

  private static func certificateAlert(in reason: String) -> String? {
    text(for: reason, in: certificateAlerts)
  }

  /// Alerts by which the peer refuses this side's certificate.
  private static let certificateAlerts = [
    ("CERTIFICATE_REQUIRED", "it demands a certificate, and this side has none"),
    ("ALERT_CERTIFICATE_EXPIRED", "it refuses this side's certificate, which has expired"),
    ("ALERT_UNKNOWN_CA", "it refuses this side's certificate, which is not from its CA"),
    ("ALERT_BAD_CERTIFICATE", "it refuses this side's certificate"),
    ("ALERT_CERTIFICATE_UNKNOWN", "it refuses this side's certificate"),
  ]

  private static let otherKey =
    "it holds another cluster key; to let it in: \(ProgramName.text) invite here, and there the command that it "
    + "prints"
  private static let noKey =
    "it has no cluster key, or is secured in another way: give both sides the same key, or both "
    + "certificates"
  private static let plain = "it does not speak TLS: is it run with --insecure?"

  private static let identityNotFound = "PSK_IDENTITY_NOT_FOUND"
  private static let unknownIdentity = "UNKNOWN_PSK_IDENTITY"
  private static let failureAlert = "HANDSHAKE_FAILURE"

  private static let handshakeTexts = [
    (identityNotFound, otherKey),
    (unknownIdentity, otherKey),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate has expired, or is not from this cluster's CA"),
    ("PEER_DID_NOT_RETURN_A_CERTIFICATE", "it has no certificate"),
    ("NO_SHARED_CIPHER", noKey),
    (failureAlert, noKey),
    ("UNSUPPORTED_PROTOCOL", noKey),
    ("PROTOCOL_VERSION", noKey),
    ("WRONG_VERSION_NUMBER", plain),
    ("HTTP_REQUEST", plain),
  ]

  private static let damage = [
    "BAD_RECORD_MAC", "DECRYPT_ERROR", "DIGEST_CHECK_FAILED", "BAD_DECRYPT", "BAD_SIGNATURE",
  ]
}

extension TransportError {
  /// The peer closed the connection during the handshake, perhaps because its timeout was over.
  static func lost(after elapsed: Duration) -> TransportError {
    let text = "it closed the connection before the handshake was complete"
    // Whole seconds, so that the next such error has the same text and is not logged again. Less than one
    // is no reason for a longer timeout.
    let seconds = elapsed.components.seconds
    guard seconds > 0 else {
      return TransportError(.connectionLost, text, cause: HandshakeCut())
    }
    return TransportError(
      .connectionLost,
      "\(text), after \(seconds) s; where round trips take that long, give both sides a longer "
        + "--timeout", cause: HandshakeCut())
  }
}

/// The peer closed the connection before the handshake was complete.
private struct HandshakeCut: Error {}
