/// A value whose JSON is its description, as a text.
package protocol TextCoded: Codable, LosslessStringConvertible {
  /// What any other text is, for people, such as `no UUID`.
  static var otherText: String { get }
}

extension TextCoded {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text.prefix(40))\" is \(Self.otherText)")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
