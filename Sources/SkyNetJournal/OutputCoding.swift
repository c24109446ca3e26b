import Foundation
import SkyNetCluster
import SkyNetCore

/// Encodes outputs as JSON, and decodes them. The bytes are those of a `JSONEncoder`, but the
/// simplest outputs are coded without one.
enum OutputCoding {
  private static let encoder = JSONEncoder.ofValues()

  /// - Throws: `EncodingError`.
  static func append(_ output: any Codable & Sendable, to bytes: inout [UInt8]) throws {
    // The encoder escapes a slash, which `PlainJSON` does not.
    if (output as? String)?.utf8.contains(UInt8(ascii: "/")) != true {
      var json = PlainJSON(after: &bytes)
      defer { bytes = json.bytes }
      if json.add(plain: output) { return }
    }
    bytes.append(contentsOf: try encoder.encode(output))
  }

  /// - Throws: `DecodingError`.
  static func output<Output: Decodable>(
    of type: Output.Type, in text: String, _ decoder: JSONDecoder
  ) throws -> Output {
    var text = text
    if let plain = text.withUTF8({ JSONText($0).plain(type) }) { return plain }
    return try decoder.decode(type, from: Data(text.utf8))
  }
}
