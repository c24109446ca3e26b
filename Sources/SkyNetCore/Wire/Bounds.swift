// What a peer says has bounds, so that code that counts with it or passes it on needs none.

extension KeyedDecodingContainer {
  /// The longest that anything can have taken at a peer: some thirty years.
  private static var longestSeconds: Double { 1e9 }

  /// Reads how long something took at a peer, in seconds.
  package func decodeSeconds(forKey key: Key) throws -> Double {
    let seconds = try decode(Double.self, forKey: key)
    guard (0...Self.longestSeconds).contains(seconds) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "nothing takes \(seconds) s")
    }
    return seconds
  }
}

extension String {
  /// The text, up to a thousand scalars of it: what one is told of an error, which may quote all
  /// that a peer sent.
  package var bounded: String {
    let end = unicodeScalars.index(startIndex, offsetBy: 1000, limitedBy: endIndex)
    guard let end, end < endIndex else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }
}
