package import Foundation

/// Reads files that should be small, with a limit on their size: a device under the same name could
/// give bytes without end.
package enum SmallFile {
  /// Why a file cannot be read.
  package enum Failure: Error {
    case absent
    case unreadable
    /// The file has more bytes than the limit.
    case tooLarge
  }

  /// All of a file's bytes. Blocks the thread.
  ///
  /// - Parameter most: the largest number of bytes.
  package static func contents(of path: String, most: Int) throws(Failure) -> Data {
    let file = try open(path)
    var contents = Data()
    while contents.count <= most {
      let part: Data?
      do {
        part = try file.read(upToCount: min(1 << 20, most + 1 - contents.count))
      } catch {
        throw .unreadable
      }
      guard let part, !part.isEmpty else { return contents }
      contents += part
    }
    throw .tooLarge
  }

  static func open(_ path: String) throws(Failure) -> FileHandle {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
