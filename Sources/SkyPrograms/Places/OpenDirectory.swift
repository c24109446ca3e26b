import Foundation
import SkyFiles
import SkyProcess

/// A folder that is open, so that it is the same one whatever becomes of its path. The last reference closes it.
final class OpenDirectory: Sendable {
  /// An absolute path.
  let path: String
  let descriptor: CInt
  let number: FolderNumber

  /// Opens a folder, also by symbolic links.
  ///
  /// - Returns: `nil` if there is none.
  convenience init?(_ path: String) {
    self.init(path, opened: open(path, Self.flags))
  }

  /// A folder that may be entered need not be one that may be listed.
  static let flags = FileSystemCalls.pathOnly | O_DIRECTORY | O_CLOEXEC

  /// - Parameter descriptor: what an opening returned, of which this value takes care.
  init?(_ path: String, opened descriptor: CInt) {
    (self.path, self.descriptor) = (path, descriptor)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      number = FolderNumber(device: 0, inode: 0)
      return nil
    }
    let state = FileState(status)
    number = FolderNumber(device: state.device, inode: state.inode)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

extension FileManager {
  /// The folder in which this process is, as an absolute path without links.
  ///
  /// - Returns: `nil` if it is gone, or has a name that is not UTF-8.
  package static var workingFolder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path).flatMap { $0.isAbsolutePath ? $0 : nil }
  }
}
