import Foundation
import SkyNetCluster
import SkyNetCore

/// JSON on one line, for programs and for people at a terminal.
enum LineJSON {
  /// - Throws: `EncodingError`.
  static func text(_ value: some Encodable) throws -> String {
    // Most values are plain strings, for which an encoder takes longer than their whole task takes otherwise.
    var plain = PlainJSON()
    if plain.add(plain: value) { return String(decoding: plain.bytes, as: UTF8.self) }
    let json = try (value as? any WrittenJSON)?.json ?? encoded(value)
    // What JSON has to escape is escaped. A terminal obeys U+007F to U+009F too, and names come from peers.
    guard json.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return json }
    return json.unicodeScalars.map { scalar in
      (0x7F...0x9F).contains(scalar.value)
        ? "\\u00" + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
  }

  private static func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
