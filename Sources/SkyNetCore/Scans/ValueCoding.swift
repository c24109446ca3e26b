package import Foundation

// How JSON has the values that a scan's author defined, wherever SkyNet writes it: in messages, journals and results.
//
// JSON has no numbers that are infinite or not a number (RFC 8259, section 6). They are carried as the texts that
// SkyNet's readers, and Python's `float`, take for them.

extension JSONEncoder {
  /// An encoder of settings, sectors, outputs and results.
  ///
  /// - Parameter isSorted: whether equal values are to be equal texts.
  package static func ofValues(isSorted: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    if isSorted { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }
}

extension JSONDecoder {
  /// A decoder of what a `JSONEncoder.ofValues` has written.
  package static func ofValues() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }
}
