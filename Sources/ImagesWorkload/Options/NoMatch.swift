import Foundation

/// A pattern of a shell that no file matches, so that the shell has passed it on as it is.
struct NoMatch: Error, Hashable, CustomStringConvertible {
  let pattern: String

  var description: String {
    "no file matches \(pattern): check the folder and the pattern, which start from the current directory if they "
      + "have no leading /"
  }

  /// Checks the path of an image that the command line names.
  ///
  /// - Throws: ``NoMatch`` if it is a pattern, and there is no file of that name.
  static func check(
    _ path: String, isThere: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
  ) throws(NoMatch) {
    // Brackets alone choose an image of a file.
    guard path.contains("*") || path.contains("?"), !isThere(path) else { return }
    throw NoMatch(pattern: path)
  }
}
