import CSodium

/// Short public names made by a hash.
package enum Fingerprint {
  /// The parts' fingerprint: 16 hexadecimal digits by BLAKE2b, the same for every order of the parts.
  package static func of(_ parts: [[UInt8]]) -> String {
    let digests = parts.map { digest($0) }.sorted { $0.lexicographicallyPrecedes($1) }
    return hexadecimal(digest(digests.flatMap { $0 }).prefix(8))
  }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func digest(_ bytes: [UInt8]) -> [UInt8] {
    Sodium.prepare()
    var digest = [UInt8](repeating: 0, count: 32)
    let status = crypto_generichash(
      &digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
    precondition(status == 0, "libsodium makes digests of 16 to 64 bytes")
    return digest
  }
}
