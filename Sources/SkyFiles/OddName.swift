/// Files' names that are not UTF-8. Paths are texts here, in which U+FFFD stands for such bytes, and by which the file is
/// not found.
package enum OddName {
  /// The rest of a sentence that begins with the path.
  package static let fault = "has a name that is not UTF-8"

  /// Whether a path that leads to no file has bytes that are not UTF-8, as far as its text tells.
  package static func isOne(_ path: String) -> Bool { path.unicodeScalars.contains("\u{FFFD}") }

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
