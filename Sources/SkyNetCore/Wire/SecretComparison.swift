extension Collection<UInt8> {
  /// Whether these bytes are the same as others. How long the comparison takes tells nothing about the bytes but
  /// their number.
  package func isSameSecret(as other: some Collection<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
