import Foundation
import SkyFiles

/// The folders in which a node runs programs for other accounts and machines, with all below them. What lies in such a
/// folder may decide what a program does: some load code from where they run.
package struct TrustedFolders: Sendable {
  /// The folders, as they were named and without symbolic links.
  private let folders: [FilePath]

  package static let none = TrustedFolders(folders: [])

  private init(folders: [FilePath]) { self.folders = folders }

  /// - Throws: ``MissingFolder`` if one of them is not there.
  package init(_ names: [String]) throws(MissingFolder) {
    var folders: [FilePath] = []
    for name in names {
      guard let real = FilePath.real(name), FileIdentity.isFolder(real.text) else {
        throw MissingFolder(name: name)
      }
      folders += [real] + [FilePath(absolute: name)].compactMap(\.self)
    }
    self.folders = folders
  }

  package struct MissingFolder: Error { package let name: String }

  /// Opens a folder that is one of these or below one, and follows no symbolic link below it.
  ///
  /// - Parameter path: an absolute path that may come from anywhere.
  /// - Returns: `nil` if it is none of these, whether it is there or not; or if it is not there.
  func open(_ path: String) -> OpenDirectory? {
    guard let place = FilePath(path),
      let trusted = folders.first(where: { place == $0 || place.isBelow($0) })
    else { return nil }
    let root = Foundation.open(trusted.text, OpenDirectory.flags)
    guard root >= 0, place != trusted else { return OpenDirectory(path, opened: root) }
    defer { close(root) }
    return OpenDirectory(
      path,
      opened: FileSystemCalls.open(
        place.text(below: trusted), beneath: root, flags: OpenDirectory.flags))
  }

  /// Whether a folder is one of these, or below one.
  func has(_ path: String) -> Bool {
    guard let place = FilePath(path) else { return false }
    return folders.contains { place == $0 || place.isBelow($0) }
  }
}
