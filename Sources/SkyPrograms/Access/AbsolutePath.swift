import Foundation

/// Paths from the root.
package enum AbsolutePath {
  /// A path from the folder in which this process is, as an absolute one. `..` stays: behind a symbolic link it leads
  /// elsewhere than the names say.
  package static func of(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
    let folder = FileManager.default.currentDirectoryPath
    guard !rest.isEmpty, rest != "." else { return folder }
    return (folder == "/" ? "" : folder) + "/" + rest
  }
}
