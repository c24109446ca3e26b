import Foundation

/// Files' names that are not UTF-8. Paths are texts here, in which U+FFFD and an escape stand for such a byte, as in
/// `�\xff`: two names have two texts, by which no file is found.
package enum OddName {
  /// The rest of a sentence that begins with the path.
  package static let fault = "has a name that is not UTF-8"

  /// Whether a path that leads to no file has bytes that are not UTF-8, as far as its text tells.
  package static func isOne(_ path: String) -> Bool { path.unicodeScalars.contains("\u{FFFD}") }

  /// The text of a name or a path.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var rest = Array(bytes)[...]
    if let text = String(validating: rest, as: UTF8.self) { return text }
    var text = ""
    while let first = rest.first {
      let character = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
        .first
      text += character ?? "\u{FFFD}\\x\(String(first, radix: 16))"
      rest = rest.dropFirst(character?.utf8.count ?? 1)
    }
    return text
  }

  /// The words of this process's command line, without the program's name.
  package static var commandLine: [String] {
    (0..<Int(CommandLine.argc)).dropFirst().map { place in
      let word = CommandLine.unsafeArgv[place]
      return text(UnsafeRawBufferPointer(start: word, count: word.map { strlen($0) } ?? 0))
    }
  }

  /// Whether each word of this process's command line is UTF-8. A word that is not is one that ``isOne(_:)`` tells.
  package static let isCommandLineUTF8 = (0..<Int(CommandLine.argc)).allSatisfy { place in
    CommandLine.unsafeArgv[place].map { String(validatingCString: $0) != nil } ?? true
  }

  /// What is told of a path that leads to no file.
  ///
  /// - Parameters:
  ///   - absence: the fault and the next step if the name may be that of a file.
  package static func absence(
    of path: String, or absence: (fault: String, nextStep: String)
  ) -> (fault: String, nextStep: String) {
    isOne(path) ? (fault, "rename it") : absence
  }
}
