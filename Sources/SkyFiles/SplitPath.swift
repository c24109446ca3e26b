/// A path's folder and the name in it.
package enum SplitPath {
  /// The folder is `nil` if the path names none, and has no slash at its end, unless it is `/`.
  package static func split(_ path: String) -> (folder: String?, name: Substring) {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (nil, path[...]) }
    let name = path[bytes.index(after: slash)...]
    let folder = bytes[..<slash].lastIndex { $0 != UInt8(ascii: "/") }
    return (folder.map { String(path[...$0]) } ?? "/", name)
  }
}
