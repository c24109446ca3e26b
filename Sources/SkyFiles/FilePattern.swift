import Foundation

/// Files that a pattern of the shell's kind names, as in `sources-*.jsonl`: where no shell has
/// replaced it, as in a container, or where there are more files than a command line holds.
package enum FilePattern {
  /// The files that match, in the order of their names; the argument itself if it is a file's name,
  /// or if nothing matches.
  package static func files(_ argument: String) -> [String] {
    guard let files = matches(argument), !files.isEmpty else { return [argument] }
    return files
  }

  /// The files that match, in the order of their names; `nil` if the argument is no pattern, or a file's name.
  package static func matches(_ argument: String) -> [String]? {
    guard argument.contains(where: { "*?[".contains($0) }), access(argument, F_OK) != 0 else {
      return nil
    }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(argument, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
