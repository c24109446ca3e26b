import NIOSSL

/// Why two peers did not come to trust each other, in words for people.
///
/// BoringSSL's reasons are known by their names in its error strings: its codes are not public.
enum HandshakeFault {
  static func error(for error: any Error) -> TransportError {
    let reason = "\(error)"
    for (name, text) in texts where reason.contains(name) {
      return TransportError(.refused, text, cause: error)
    }
    switch error {
    // What happens to the network while two peers meet says nothing of whom they trust.
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): return .lost
    case is NIOSSLError, is BoringSSLError:
      return TransportError(.refused, "TLS failed: \(reason)", cause: error)
    default:
      return TransportError(
        .connectionLost, "the connection broke: \(IOReason.text(for: error))", cause: error)
    }
  }

  private static let otherKey =
    "it holds another cluster key; to let it in: skynet key show | ssh HOST skynet key import"
  private static let noKey =
    "it has no cluster key, or is secured in another way: give both sides the same key, or both "
    + "certificates"
  private static let plain = "it does not speak TLS: is it run with --insecure?"

  /// The first that is found counts.
  private static let texts = [
    ("PSK_IDENTITY_NOT_FOUND", otherKey),
    ("UNKNOWN_PSK_IDENTITY", otherKey),
    // The name fits, and the secret does not.
    ("BAD_RECORD_MAC", otherKey),
    ("DECRYPT_ERROR", otherKey),
    ("DIGEST_CHECK_FAILED", otherKey),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate has expired, or is not from this cluster's CA"),
    ("PEER_DID_NOT_RETURN_A_CERTIFICATE", "it has no certificate"),
    ("CERTIFICATE_REQUIRED", "it demands a certificate, and this side has none"),
    ("CERTIFICATE_EXPIRED", "it refuses this side's certificate, which has expired"),
    ("UNKNOWN_CA", "it refuses this side's certificate, which is not from its CA"),
    ("BAD_CERTIFICATE", "it refuses this side's certificate"),
    ("CERTIFICATE_UNKNOWN", "it refuses this side's certificate"),
    ("NO_SHARED_CIPHER", noKey),
    ("HANDSHAKE_FAILURE", noKey),
    ("UNSUPPORTED_PROTOCOL", noKey),
    ("PROTOCOL_VERSION", noKey),
    ("WRONG_VERSION_NUMBER", plain),
    ("HTTP_REQUEST", plain),
  ]
}

extension TransportError {
  static let lost = TransportError(
    .connectionLost, "it closed the connection before both had shown who they are")
}
