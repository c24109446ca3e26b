import SkyNetCore

/// What a run of parts that was stopped says of those that it had not begun, which its summary does not count: `66 of 80
/// inputs were not begun`.
enum UnreadLine {
  /// - Parameter expected: how many parts there would have been; `nil` if that is not known.
  /// - Returns: `nil` if all were begun.
  static func text(expected: Int?, begun: Int, _ words: RunWords) -> String? {
    guard let expected else {
      return
        "\(begun) \(begun == 1 ? words.part.one : words.part.many) had been read: any that follow were not begun"
    }
    let left = expected - begun
    guard left > 0 else { return nil }
    return "\(left) of \(expected) \(words.part.many) \(left == 1 ? "was" : "were") not begun"
  }
}
