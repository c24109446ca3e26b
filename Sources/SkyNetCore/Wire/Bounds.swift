// Values from a peer are checked against bounds here, so that code that counts with them or passes
// them on need not check.

extension KeyedDecodingContainer {
  /// The longest time that a peer may report for anything: some thirty years.
  private static var longestSeconds: Double { 1e9 }

  /// Reads a time that a peer reports, in seconds.
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
  /// The first thousand scalars of the text. Error messages may quote all that a peer sent, and are
  /// cut by this.
  package var bounded: String {
    let end = unicodeScalars.index(startIndex, offsetBy: 1000, limitedBy: endIndex)
    guard let end, end < endIndex else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }
}
