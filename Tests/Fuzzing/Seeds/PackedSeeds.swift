extension Seeds {
  static let packed: Named = [
    "equal": [8, 8] + packed("0000000000000111 0000 0000"),
    "one-pixel": [1, 1] + packed("1111111111111111 0000"),
    "unsplit": [5, 1] + packed("0000000100000010 0001 1 001 01 1 0000001"),
    "split": [3, 1] + packed("0000000100000010 0101 1 0000 001 1010 01 1111"),
    "plain": [2, 1] + packed("1000000000000000 1111 0000000000000000 1111111111111111"),
    "whole-block": [32, 1]
      + packed(
        "0000001111101000 0011"
          + String(repeating: "1 00 01 10 001 11 1 01", count: 8)),
    "long": [4, 1]
      + packed(
        "0000000000000000 0001 1 \(String(repeating: "0", count: 90))1 1 1"),
    "difference-huge": [4, 1]
      + packed(
        "0000000000000000 1110 \(String(repeating: "0", count: 30))1"
          + String(repeating: "1", count: 90)),
    "truncated": [8, 8] + packed("0000000000000111 0110 0"),
    "trailing": [8, 4] + packed("0000000000000111 0000 1"),
    "too-few-bytes": [255, 255, 0, 0, 0],
    "no-width": [0, 9, 0, 0, 0],
  ]

  /// The bytes of these bits, with 0s up to the next whole byte.
  private static func packed(_ bits: String) -> [UInt8] {
    let digits = bits.filter { $0 != " " }
    return (0..<(digits.count + 7) / 8).map { index in
      let byte = digits.dropFirst(8 * index).prefix(8)
      return UInt8(byte + String(repeating: "0", count: 8 - byte.count), radix: 2) ?? 0
    }
  }
}
