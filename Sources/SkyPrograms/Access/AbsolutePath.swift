import Foundation
import SkyFiles

/// Paths from the root.
package enum AbsolutePath {
  /// A path from a folder on, by default from the one in which this process is, as an absolute one. `..` stays: behind a
  /// symbolic link it leads elsewhere than the names say.
  package static func of(
    _ path: String, in folder: String = FileManager.default.currentDirectoryPath
  ) -> String {
    guard !path.isAbsolutePath else { return path }
    var rest = path.utf8[...]
    while rest.starts(with: "./".utf8) {
      rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
    }
    guard !rest.isEmpty, !rest.elementsEqual(".".utf8) else { return folder }
    return folder.appendingName(Substring(rest))
  }
}
