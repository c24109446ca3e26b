/// A text of which each byte counts, as it does in a file's name. Swift takes two texts for equal that compose their
/// characters differently, so this is the key of whatever is found by a path, and what paths are compared as.
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: some StringProtocol) { self.text = String(text) }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// It is coded as its text.
extension ExactText: Codable {
  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ExactText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}
