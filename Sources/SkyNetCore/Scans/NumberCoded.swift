/// A value whose JSON is a whole number, or can be: for example, a sector that needs no more than
/// its number.
///
/// A number needs no encoder and no decoder, which take microseconds.
package protocol NumberCoded: Codable, SendableMetatype {
  /// The number that `encode(to:)` would write and nothing else; `nil` if it would write anything
  /// else.
  var jsonNumber: Int? { get }

  /// Makes the value that `init(from:)` would read from this number.
  init(jsonNumber: Int)
}

extension Int: NumberCoded {
  package var jsonNumber: Int? { self }
  package init(jsonNumber: Int) { self = jsonNumber }
}
