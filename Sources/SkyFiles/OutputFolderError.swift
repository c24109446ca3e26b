import Foundation

/// Why a folder for outputs cannot be made.
package struct OutputFolderError: Error, Hashable, CustomStringConvertible {
  package let path: String
  let reason: CInt

  /// Whether nothing can be made there now, whatever the folder's name is.
  package var isOfDisk: Bool { OutputFileError.ofDisk.contains(reason) }

  package var description: String {
    let (fault, nextStep) =
      LinkEnd.fault(of: path) ?? (
        "cannot be made (\(String(cString: strerror(reason))))", "make it"
      )
    return "\(path): the folder for outputs \(fault); " + (nextStep.map { "\($0), or " } ?? "")
      + "choose another one"
  }

  /// Makes a folder and those above it. One that exists is left as it is.
  ///
  /// - Throws: ``OutputFolderError``.
  package static func make(_ path: String) throws(OutputFolderError) {
    guard mkdir(path, 0o777) != 0 else { return }
    var reason = errno
    if reason == ENOENT, let outer = SplitPath.split(path).folder {
      try make(outer)
      guard mkdir(path, 0o777) != 0 else { return }
      reason = errno
    }
    var status = stat()
    if reason == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    throw OutputFolderError(path: path, reason: reason)
  }
}
