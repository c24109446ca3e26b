/// A path's folder and the name in it.
package enum SplitPath {
  /// The folder is `nil` if the path names none, and has no slash at its end, unless it is `/`.
  package static func split(_ path: String) -> (folder: String?, name: Substring) {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (nil, path[...]) }
    let name = Substring(bytes[bytes.index(after: slash)...])
    let folder = bytes[..<slash].lastIndex { $0 != UInt8(ascii: "/") }
    return (folder.map { String(Substring(bytes[...$0])) } ?? "/", name)
  }
}

// A slash that a combining mark follows is a part of another character: of a path, bytes tell.
extension StringProtocol {
  /// Whether a path begins at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  package var hasSlash: Bool { utf8.contains(UInt8(ascii: "/")) }

  /// What stands between a path's slashes.
  ///
  /// - Parameter omitsEmpty: whether empty names are left out, as the system takes a path.
  package func pathNames(omitsEmpty: Bool = true) -> [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: omitsEmpty)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  /// The path of a name in the folder that this is the path of.
  package func appendingName(_ name: some StringProtocol) -> String {
    utf8.last == UInt8(ascii: "/") ? "\(self)\(name)" : "\(self)/\(name)"
  }
}

extension SplitPath {
  /// The file's name without its folder and without the endings of FITS: `.fits`, `.fit` or `.fts`, and a following `.fz`
  /// or `.gz`, in any case. A name that consists of endings is left as it is.
  package static func bareName(of path: String) -> String {
    let name = split(path).name
    var bytes = name.utf8[...]
    if [".fz", ".gz"].contains(where: { ends(bytes, in: $0) }) { bytes = bytes.dropLast(3) }
    for ending in [".fits", ".fit", ".fts"] where ends(bytes, in: ending) {
      let rest = bytes.dropLast(ending.utf8.count)
      return rest.isEmpty ? String(name) : String(Substring(rest))
    }
    return String(name)
  }

  /// Whether the text ends in an ending of lower-case ASCII, in any case.
  private static func ends(_ text: Substring.UTF8View, in ending: String) -> Bool {
    text.count >= ending.utf8.count
      && zip(text.suffix(ending.utf8.count), ending.utf8).allSatisfy { byte, lower in
        (65...90).contains(byte) ? byte | 0x20 == lower : byte == lower
      }
  }
}
