import Foundation

/// A file that was written as an output, to find out later whether it is still there.
package struct WrittenFile: Codable, Hashable, Sendable {
  /// The absolute path.
  package let path: String
  package let size: Int

  package init(path: String, size: Int) {
    self.path = Self.absolute(path)
    self.size = size
  }

  /// An output's path as it is kept. `URL` makes the same of any path, and takes a hundredth of a small image's time for it.
  package static func absolute(_ path: String) -> String {
    if path == "-" { return "/dev/stdout" }
    let isPlain =
      !path.isEmpty
      && path.pathNames(omitsEmpty: false).dropFirst(path.isAbsolutePath ? 1 : 0).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
      }
    guard isPlain else { return URL(fileURLWithPath: path).path }
    return path.isAbsolutePath ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Whether a file of this size is there, or a device, a pipe or an open descriptor, which keeps nothing.
  package var isThere: Bool {
    if case .descriptor = LinkEnd(path) { return true }
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int(status.st_size) == size
    case S_IFDIR: return false
    default: return true
    }
  }
}
