package import Foundation

/// Reads files that are small by their nature, whatever is under their name: a device gives bytes
/// without end.
package enum SmallFile {
  /// Why there is nothing to read.
  package enum Failure: Error {
    case absent
    case unreadable
    /// It has more bytes than it may have.
    case tooLarge
  }

  /// All of a file. It blocks the thread.
  ///
  /// - Parameter most: how many bytes it may have.
  package static func contents(of path: String, most: Int) throws(Failure) -> Data {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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
}
