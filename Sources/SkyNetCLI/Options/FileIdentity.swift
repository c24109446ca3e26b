import Foundation

/// The file that a path leads to, or the place where the path would make one. Two paths to the same
/// file or place are equal.
enum FileIdentity: Hashable {
  /// An existing file; hard links to it are equal.
  case file(device: UInt64, number: UInt64)
  /// A name in an existing directory.
  case name(String, device: UInt64, directory: UInt64)
  /// The path's directory does not exist, so no file can be made there.
  case nowhere(String)

  init(_ path: String) {
    var path = path
    // Linux follows at most 40 symbolic links, one leading to the next.
    for _ in 0..<40 {
      if let status = Self.status(path) {
        self = .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        return
      }
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      path = link.hasPrefix("/") ? link : Self.directory(of: path) + "/" + link
    }
    // The second form is without "x/..", also where x does not exist.
    let plain = URL(fileURLWithPath: path).standardizedFileURL.path
    for path in [path, plain] {
      guard let directory = Self.status(Self.directory(of: path)) else { continue }
      let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      self = .name(
        String(name), device: UInt64(directory.st_dev), directory: UInt64(directory.st_ino))
      return
    }
    self = .nowhere(plain)
  }

  /// Whether the path leads to a terminal, a pipe or a device such as `/dev/null`, which several
  /// writers can share.
  static func isDevice(_ path: String) -> Bool {
    guard let status = status(path) else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
