import CProcess
import Foundation

/// The variables that this process had at its beginning, without those that are for SkyNet alone:
/// among them may be a secret.
struct ProgramEnvironment: Sendable {
  /// Each with its name, as bytes that need not be a text.
  private let variables: [(name: [UInt8], text: [UInt8])]

  /// The variables of this process.
  static var own: ProgramEnvironment {
    var texts: [[UInt8]] = []
    var place = process_environment()
    while let text = place?.pointee {
      texts.append(
        UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:)))
      place? += 1
    }
    return ProgramEnvironment(texts)
  }

  init(_ texts: [[UInt8]]) {
    variables = texts.compactMap { text in
      guard let end = text.firstIndex(of: UInt8(ascii: "=")), !text.starts(with: "SKYNET_".utf8)
      else { return nil }
      return (Array(text[..<end]), text)
    }
  }

  /// Adds a text for each variable, with a zero byte after it.
  ///
  /// - Parameters:
  ///   - others: variables that take the place of these.
  ///   - slot: the number of the keeper, from 1.
  /// - Throws: ``ProgramFault/notAWord(_:)``.
  func append(
    _ others: [String: String], slot: Int, to bytes: inout Data
  ) throws(ProgramFault) {
    let names = Set(others.keys.map { Array($0.utf8) })
    for variable in variables where !names.contains(variable.name) {
      bytes.append(contentsOf: variable.text)
      bytes.append(0)
    }
    for (name, value) in others.merging(["SKYNET_SLOT": "\(slot)"], uniquingKeysWith: { $1 }) {
      let text = name + "=" + value
      guard !name.isEmpty, !name.contains("="), !text.utf8.contains(0) else {
        throw .notAWord(text)
      }
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
    }
  }
}
