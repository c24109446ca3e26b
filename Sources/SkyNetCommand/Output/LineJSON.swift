import Foundation
import SkyNetCluster
import SkyNetCore

/// JSON on one line, for programs and for people at a terminal.
enum LineJSON {
  /// - Throws: `EncodingError`, and adds nothing then.
  static func add(_ value: some Encodable, to line: inout PlainJSON) throws {
    // Most values are plain strings, for which an encoder takes longer than their whole task takes otherwise.
    if line.add(plain: value) { return }
    let json = try (value as? any WrittenJSON)?.json ?? encoded(value)
    // What JSON has to escape is escaped. A terminal obeys other control characters too, and names come from peers.
    guard json.hasControls else { return line.add(json: json.utf8) }
    for scalar in json.unicodeScalars {
      if scalar.isControl {
        line.add(escapeOf: scalar)
      } else {
        line.add(json: scalar.utf8)
      }
    }
  }

  /// - Throws: `EncodingError`.
  static func text(_ value: some Encodable) throws -> String {
    var line = PlainJSON()
    try add(value, to: &line)
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private static func encoded(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder.ofValues(isSorted: true).encode(value), as: UTF8.self)
  }
}
