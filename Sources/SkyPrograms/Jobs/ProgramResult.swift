import Foundation
import SkyNetCore

extension ProgramSettings.Form {
  /// - Throws: `UnmendableFailure` if the bytes are not of this form.
  func check(_ bytes: Data) throws(UnmendableFailure) {
    switch self {
    case .bytes: break
    case .text:
      if let place = bytes.withUnsafeBytes({ $0.endOfUTF8 }) {
        throw UnmendableFailure(
          "its output is no text, as byte \(place + 1) is not UTF-8: --output 'FOLDER/{name}.txt' keeps any bytes, as files"
        )
      }
    case .json:
      guard ProgramJSON(bytes) != nil else {
        throw UnmendableFailure(
          "its output is not one JSON value: leave --json-output out for texts, or give --output for any bytes"
        )
      }
    }
  }

  /// The sector's result, of bytes of this form.
  func result(_ bytes: Data) -> any Encodable & Sendable {
    if self == .json, let json = ProgramJSON(bytes) { return json }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A result that knows how many bytes its output had.
package protocol SizedResult {
  var outputBytes: Int { get }
}

extension String: SizedResult {
  package var outputBytes: Int { utf8.count }
}

extension UnsafeRawBufferPointer {
  /// Where the first bytes are that are not UTF-8; `nil` if all are.
  fileprivate var endOfUTF8: Int? {
    guard String(validating: self, as: UTF8.self) == nil else { return nil }
    var (parser, rest, place) = (UTF8.ForwardParser(), makeIterator(), 0)
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { place += scalar.count }
    return place
  }
}
