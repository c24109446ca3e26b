import NIOSSL
import SkyNetCluster

/// What went wrong with TLS, in words for people.
///
/// What they say of keys and certificates is true of a handshake alone. Once both sides have shown
/// who they are, TLS fails for one reason only: what arrives is not what was sent.
///
/// BoringSSL's reasons are known by their names in its error strings: its codes are not public.
enum TLSFault {
  /// Why two peers did not come to trust each other.
  ///
  /// - Parameter elapsed: how long they were at it.
  static func ofHandshake(_ error: any Error, after elapsed: Duration) -> TransportError {
    let reason = "\(error)"
    if let text = certificateAlert(in: reason) ?? text(for: reason, in: handshakeTexts) {
      return TransportError(.refused, text, cause: error)
    }
    // A peer with another key names another key, and is refused for that: no member comes here.
    if damage.contains(where: reason.contains) {
      return TransportError(
        .connectionLost,
        "the handshake broke: what arrived is not what was sent, or it does not hold the key "
          + "that it names (\(name(in: reason)))", cause: error)
    }
    switch error {
    // What happens to the network while two peers meet says nothing of whom they trust.
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])):
      return .lost(after: elapsed)
    // Whatever has no words above is no matter of trust, and may go better the next time.
    case is NIOSSLError, is BoringSSLError:
      return TransportError(
        .connectionLost, "the handshake broke (\(name(in: reason)))", cause: error)
    default: return broken(IOReason.text(for: error), error)
    }
  }

  /// Why a connection ended after this side's handshake.
  ///
  /// - Parameter hasHeard: whether the peer has said anything since. By TLS 1.3 the side that
  ///   connects is done before the other has looked at its certificate.
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

  /// BoringSSL's name of the reason, without its codes and source lines.
  private static func name(in reason: String) -> String {
    reason.firstMatch(of: /OPENSSL_internal:(\w+)/).map { String($0.1) } ?? reason
  }

  /// The first that is found counts.
  private static func text(for reason: String, in texts: [(String, String)]) -> String? {
    texts.first { reason.contains($0.0) }?.1
  }

  private static func certificateAlert(in reason: String) -> String? {
    text(for: reason, in: certificateAlerts)
  }

  /// What the peer says of this side's certificate.
  private static let certificateAlerts = [
    ("CERTIFICATE_REQUIRED", "it demands a certificate, and this side has none"),
    ("ALERT_CERTIFICATE_EXPIRED", "it refuses this side's certificate, which has expired"),
    ("ALERT_UNKNOWN_CA", "it refuses this side's certificate, which is not from its CA"),
    ("ALERT_BAD_CERTIFICATE", "it refuses this side's certificate"),
    ("ALERT_CERTIFICATE_UNKNOWN", "it refuses this side's certificate"),
  ]

  private static let otherKey =
    "it holds another cluster key; to let it in: skynet key show | ssh HOST skynet key import"
  private static let noKey =
    "it has no cluster key, or is secured in another way: give both sides the same key, or both "
    + "certificates"
  private static let plain = "it does not speak TLS: is it run with --insecure?"

  private static let handshakeTexts = [
    ("PSK_IDENTITY_NOT_FOUND", otherKey),
    ("UNKNOWN_PSK_IDENTITY", otherKey),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate has expired, or is not from this cluster's CA"),
    ("PEER_DID_NOT_RETURN_A_CERTIFICATE", "it has no certificate"),
    ("NO_SHARED_CIPHER", noKey),
    ("HANDSHAKE_FAILURE", noKey),
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
  /// The peer ended the connection while it was being made: perhaps because its patience did.
  static func lost(after elapsed: Duration) -> TransportError {
    let text = "it closed the connection before both had shown who they are"
    // In whole seconds, so that the next time is no news. No time to speak of is no reason.
    let seconds = elapsed.components.seconds
    guard seconds > 0 else { return TransportError(.connectionLost, text) }
    return TransportError(
      .connectionLost,
      "\(text), after \(seconds) s; where round trips take that long, give both sides a longer "
        + "--timeout")
  }
}
