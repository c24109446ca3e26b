import Foundation

/// The file that a path leads to, or the place where the path would make one. Two paths to the same
/// file or place are equal.
package enum FileIdentity: Hashable {
  /// An existing file; hard links to it are equal.
  case file(FileLocation.FileNumber)
  /// A place without a file.
  case place(FilePlace)

  package init(_ path: String) {
    var folders = FolderIdentities()
    let location = FileLocation(path, folders: &folders)
    self = location.file.map(FileIdentity.file) ?? .place(location.place)
  }

  /// Whether the path leads to a terminal, a pipe or a device such as `/dev/null`, which several
  /// writers can share.
  package static func isDevice(_ path: String) -> Bool {
    var folders = FolderIdentities()
    return FileLocation(path, folders: &folders).isDevice
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
