/// A result that is JSON already, and is written as it is. An encoder would lose what its types do not hold: the digits
/// of long numbers, keys that come twice, and the order of keys.
package protocol WrittenJSON: Encodable, Sendable {
  /// One JSON value, on one line.
  var json: String { get }
}

extension WrittenJSON {
  /// Encodes the value as a text, as encoders take no JSON.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}
