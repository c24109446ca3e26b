import Foundation

/// The file that a path leads to, or the place where the path would make one. Two paths to the same
/// file or place are equal.
package enum FileIdentity: Hashable {
  /// An existing file, of which hard links are equal, or an output's pipe, of which descriptors are.
  case file(FileLocation.FileNumber)
  /// A place without a file.
  case place(FilePlace)

  /// - Parameter isOutput: whether the path is an output's, of which `-` is standard output.
  package init(_ path: String, isOutput: Bool = false) {
    var folders = FolderIdentities()
    let location = FileLocation(path, isOutput: isOutput, folders: &folders)
    self = location.number.map(FileIdentity.file) ?? .place(location.place)
  }

  /// Whether the path leads to a terminal, a pipe or a device such as `/dev/null`, which several
  /// writers can share.
  package static func isDevice(_ path: String) -> Bool {
    var folders = FolderIdentities()
    return FileLocation(path, folders: &folders).isDevice
  }

  /// Whether outputs of this path may share it; see ``FileLocation/isShared``.
  package static func isShared(output path: String) -> Bool {
    var folders = FolderIdentities()
    return FileLocation(path, isOutput: true, folders: &folders).isShared
  }

  /// Whether an output of this path is written as it comes: it is a device, or an open descriptor. All others are put
  /// into their places when they are whole.
  package static func isStream(_ path: String) -> Bool {
    if case .descriptor = LinkEnd(output: path) { return true }
    return isDevice(path)
  }

  /// Whether the path leads to a regular file.
  package static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
