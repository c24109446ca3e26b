import Foundation

/// A regular file that results depend on, as it was when it was opened.
///
/// Its reader looks at it again before the results are put in place. A file that was
/// written, replaced, renamed, linked or touched meanwhile is not the one that was opened, even if it
/// has its old contents again: what was read between may be others.
package struct OpenedFile: Hashable, Sendable {
  /// The path that was opened.
  package let path: String
  package let state: FileState

  package init(path: String, state: FileState) {
    (self.path, self.state) = (path, state)
  }

  /// - Parameter descriptor: the open file, before anything of it was read.
  /// - Returns: `nil` of a pipe or a device, which cannot be looked at again.
  package init?(path: String, descriptor: CInt) {
    guard let status = try? FileState.settled(descriptor), status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    self.init(path: path, state: FileState(status))
  }

  /// Whether the path leads to another file by now, or to another version of it.
  package var hasChanged: Bool { FileState(path: path) != state }
}

extension Sequence<OpenedFile> {
  /// Looks at the files again.
  ///
  /// - Throws: ``ChangedFile`` if one of them has changed since it was opened.
  package func checkUnchanged() throws(ChangedFile) {
    if let file = first(where: \.hasChanged) { throw ChangedFile(path: file.path) }
  }
}

/// A file that has changed since it was opened, so that results may be of two versions of it.
package struct ChangedFile: Error, Hashable, CustomStringConvertible {
  package let path: String

  package init(path: String) { self.path = path }

  package var description: String {
    "\(path): was changed while it was in use (its contents, times, names or permissions), so results may be of "
      + "two versions of it and do not count; run the same command again when nothing changes it"
  }
}
