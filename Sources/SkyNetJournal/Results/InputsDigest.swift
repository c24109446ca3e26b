import CSodium
import Foundation
import SkyNetCore

/// A SHA-256 of inputs, each as its JSON, with the keys of its objects in order and its bulk bytes as base64.
struct InputsDigest {
  private var state = crypto_hash_sha256_state()
  private let encoder = JSONEncoder.ofValues(isSorted: true)

  private init() { crypto_hash_sha256_init(&state) }

  /// The digest, as hexadecimal digits.
  ///
  /// - Throws: `EncodingError`; `CancellationError`, as there may be many inputs.
  static func text(of inputs: some Sequence<some Encodable>) throws -> String {
    var digest = InputsDigest()
    for input in inputs {
      try Task.checkCancellation()
      try digest.add(input)
    }
    return digest.text()
  }

  private mutating func add(_ input: some Encodable) throws {
    // A line feed is in no JSON that is written like this, so no two sequences of inputs have the same bytes.
    let bytes = try encoder.encode([input]) + [UInt8(ascii: "\n")]
    bytes.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: UInt8.self).baseAddress
      _ = crypto_hash_sha256_update(&state, start, UInt64(bytes.count))
    }
  }

  private mutating func text() -> String {
    var hash = [UInt8](repeating: 0, count: crypto_hash_sha256_bytes())
    crypto_hash_sha256_final(&state, &hash)
    return hash.map { String(format: "%02x", $0) }.joined()
  }
}
