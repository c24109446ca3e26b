import Foundation

/// Outputs as JSON, and back.
///
/// The simplest are written and read here, to the same bytes: for a few letters or digits an
/// encoder costs more than everything else that a journal does with them.
enum OutputCoding {
  private static let encoder = JSONEncoder()

  /// - Throws: `EncodingError`.
  static func append(_ output: any Codable & Sendable, to bytes: inout [UInt8]) throws {
    if var text = output as? String {
      if text.withUTF8({ append(plain: $0, to: &bytes) }) { return }
    } else if let number = output as? Int {
      bytes.append(contentsOf: String(number).utf8)
      return
    }
    bytes.append(contentsOf: try encoder.encode(output))
  }

  /// - Returns: whether the text could be written as it is.
  private static func append(
    plain text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
  ) -> Bool {
    guard text.allSatisfy(isPlain) else { return false }
    bytes.append(quote)
    bytes.append(contentsOf: text)
    bytes.append(quote)
    return true
  }

  /// - Throws: `DecodingError`.
  static func output<Output: Decodable>(
    of type: Output.Type, in text: String, _ decoder: JSONDecoder
  ) throws -> Output {
    if type == String.self, let plain = plain(in: text) as? Output { return plain }
    return try decoder.decode(type, from: Data(text.utf8))
  }

  private static func plain(in json: String) -> String? {
    var json = json
    return json.withUTF8 { bytes in
      guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
      let inner = bytes[1..<bytes.count - 1]
      return inner.allSatisfy(isPlain) ? String(decoding: inner, as: UTF8.self) : nil
    }
  }

  private static let quote = UInt8(ascii: "\"")

  /// Whether a byte stands for itself in JSON, and `JSONEncoder` writes it so.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != quote && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "/")
  }
}
