/// A value that is a whole number in JSON, or can be: a sector that is told by its number, say.
///
/// What is a number needs no encoder and no decoder, which take microseconds. For scans that take
/// much longer a plain `Codable` is as good.
package protocol NumberCoded: Codable {
  /// The number that `encode(to:)` would write, and nothing else; `nil` if it writes something else.
  var jsonNumber: Int? { get }

  /// The same value as `init(from:)` reads from this number; `nil` if it reads none.
  init?(jsonNumber: Int)
}

extension Int: NumberCoded {
  public var jsonNumber: Int? { self }
  public init?(jsonNumber: Int) { self = jsonNumber }
}
