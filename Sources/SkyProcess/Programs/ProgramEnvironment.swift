import CProcess
import Foundation

/// The variables that this process had at its beginning, without those that are for it alone: among them may be a
/// secret, or a way to the system's service manager.
struct ProgramEnvironment: Sendable {
  /// Each with its name, as bytes that need not be a text.
  private let variables: [(name: [UInt8], text: [UInt8], isCommon: Bool)]

  /// What a service manager gives to the process that it starts, and means for no other.
  private static let ofService: Set = ["NOTIFY_SOCKET", "CREDENTIALS_DIRECTORY"]
  /// Where this process is and was. A program's `PWD` is its own folder, and it was nowhere before.
  private static let ofPlace: Set = ["PWD", "OLDPWD"]
  /// What programs need wherever they run, and in which nobody keeps a secret. All names that begin with `LC_` count.
  private static let common: Set = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
  ]

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
      guard let end = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = String(decoding: text[..<end], as: UTF8.self)
      guard !name.hasPrefix("SKYNET_"), !Self.ofService.contains(name),
        !Self.ofPlace.contains(name)
      else { return nil }
      return (
        Array(text[..<end]), text, Self.common.contains(name) || name.hasPrefix("LC_")
      )
    }
  }

  /// Adds a text for each variable, with a zero byte after it.
  ///
  /// - Parameters:
  ///   - others: variables that take the place of these.
  ///   - all: whether the program gets all of these, or only what programs need wherever they run.
  ///   - slot: the number of the keeper, from 1.
  /// - Throws: ``ProgramFault/notAWord(_:)``.
  func append(
    _ others: [String: String], all: Bool, slot: Int, to bytes: inout Data
  ) throws(ProgramFault) {
    // So few that to compare them is quicker than to hash each variable's name.
    let names = others.keys.map { Array($0.utf8) }
    for variable in variables
    where (all || variable.isCommon) && !names.contains(variable.name) {
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
