import Foundation

/// Where a path leads: to a file that is there, by whichever of its names, or to where one would be
/// made. Two paths to one place are equal.
enum FilePlace: Hashable {
  /// A file that is there: hard links to it are the same.
  case file(device: UInt64, number: UInt64)
  /// A name in a directory that is there.
  case name(String, device: UInt64, directory: UInt64)
  /// Nothing can be made there as it is now.
  case nowhere(String)

  init(_ path: String) {
    var path = path
    // As many links, one leading to the next, as Linux follows.
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
    // Without "x/.." where there is no x, as if there were.
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

  /// Whether something is there that takes whatever it is given: a terminal, a pipe, `/dev/null`.
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
