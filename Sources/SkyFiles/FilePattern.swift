import Foundation

/// Files that a pattern of the shell's kind names, as in `sources-*.jsonl`: where no shell has
/// replaced it, as in a container, or where there are more files than a command line holds.
///
/// A name that is there is that name and no pattern, also on the way: in `[k]/*.fits`, the folder `[k]`.
package enum FilePattern {
  /// The files that match, in the order of their names; the argument itself if it is a file's name,
  /// or if nothing matches.
  package static func files(_ argument: String) -> [String] {
    guard let files = matches(argument), !files.isEmpty else { return [argument] }
    return files
  }

  /// The files that match, in the order of their names; `nil` if the argument is no pattern, or a file's name. A name
  /// that is not UTF-8 is none that ``OddName`` knows a file by.
  package static func matches(_ argument: String) -> [String]? {
    guard isPattern(argument.utf8), access(argument, F_OK) != 0 else { return nil }
    let slash = UInt8(ascii: "/")
    let names = argument.utf8.split(separator: slash, omittingEmptySubsequences: false)
    var found: [[UInt8]] = [[]]
    for (place, name) in names.enumerated() {
      found = found.flatMap { folder in
        guard isPattern(name), !isThere(folder + name) else { return [folder + name] }
        return matches(name, in: folder)
      }
      if place < names.count - 1 { found = found.map { $0 + [slash] } }
    }
    return found.filter(isThere).sorted { $0.lexicographicallyPrecedes($1) }
      .map { OddName.text($0) }
  }

  /// Whether a path is one that a pattern names, whether it is there or not.
  package static func isMatch(_ path: String, of pattern: String) -> Bool {
    fnmatch(pattern, path, FNM_PATHNAME | FNM_PERIOD) == 0
  }

  /// The first of the words that names a file and, as a pattern, another one which is not among the words. A shell that
  /// has replaced a pattern gives all of them.
  package static func ambiguity(in words: [String]) -> (word: String, other: String)? {
    let known = Set(words.map { ExactText($0) })
    for word in words where isPattern(word.utf8) && access(word, F_OK) == 0 {
      let (folder, name) = SplitPath.split(word)
      let others = matches(name.utf8, in: folder.map { Array($0.appendingName("").utf8) } ?? [])
      if let other = others.lazy.map({ OddName.text($0) }).first(where: {
        !known.contains(ExactText($0))
      }) {
        return (word, other)
      }
    }
    return nil
  }

  private static let special = "*?[".utf8

  private static func isPattern(_ name: some Sequence<UInt8>) -> Bool {
    name.contains(where: special.contains)
  }

  private static func isThere(_ path: [UInt8]) -> Bool {
    var status = stat()
    return withCString(path) { lstat($0, &status) } == 0
  }

  /// The paths of what matches in a folder.
  ///
  /// - Parameter folder: ends in a slash, unless it is empty.
  private static func matches(_ name: Substring.UTF8View, in folder: [UInt8]) -> [[UInt8]] {
    var found = glob_t()
    defer { globfree(&found) }
    // The folder is meant as it is.
    let escape = UInt8(ascii: "\\")
    let quoted = folder.flatMap { special.contains($0) || $0 == escape ? [escape, $0] : [$0] }
    guard withCString(quoted + name, { glob($0, 0, nil, &found) }) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { place in
      guard let path = found.gl_pathv[place] else { return nil }
      let bytes = UnsafeRawBufferPointer(start: path, count: strlen(path))
      return folder + Array(bytes).split(separator: UInt8(ascii: "/")).last!
    }
  }

  private static func withCString<Result>(
    _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    (path + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }
}
