import Foundation
import SkyFiles
import SkyNetJournal

/// A file that one run at a time writes lines to.
enum LineFile {
  /// Opens the file for writing, and makes it if there is none. What it has stays in it. A regular file is locked
  /// until it is closed, so that the lines of two runs never mix; pipes and devices are not.
  ///
  /// - Returns: the file's descriptor, and its name; no name if the path is that of an open descriptor, which gets the
  ///   lines behind what others have written to it.
  /// - Throws: ``OutputError`` if the file cannot be written, or another run has it open.
  static func open(
    _ path: String, flag: String
  ) throws(OutputError) -> (descriptor: CInt, path: String?) {
    if OddName.isOne(path) { throw OutputError(flag: flag, path: path, failure: .oddName) }
    if case .descriptor(let descriptor) = LinkEnd(output: path) {
      guard LinkEnd.isOutput(descriptor) else {
        throw OutputError(flag: flag, path: path, failure: .refused(EBADF))
      }
      return (descriptor, nil)
    }
    let descriptor = NamedPipe.mayWait(for: path) {
      Foundation.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else {
      throw OutputError(flag: flag, path: path, failure: .refused(errno))
    }
    guard GrowingFile.isFile(descriptor) else { return (descriptor, path) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // Some file systems have no locks. They take the lines all the same.
      guard errno == EWOULDBLOCK else { break }
      close(descriptor)
      throw OutputError(flag: flag, path: path, failure: .refused(EWOULDBLOCK))
    }
    return (descriptor, path)
  }
}
