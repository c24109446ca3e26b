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
    try read(path, most: most).contents
  }

  /// The first bytes of a file, at most as many; `nil` if it cannot be read. Blocks the thread.
  package static func head(of path: String, most: Int) -> [UInt8]? {
    let file = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: most)
    let count = Foundation.read(file, &head, most)
    return Array(head.prefix(max(0, count)))
  }

  /// All of a file's bytes, and the file as it was before they were read; `nil` of a pipe or a
  /// device. Blocks the thread.
  ///
  /// - Parameter most: the largest number of bytes.
  package static func read(
    _ path: String, most: Int
  ) throws(Failure) -> (contents: Data, file: OpenedFile?) {
    try NamedPipe.mayWait(for: path) { () throws(Failure) in try readNow(path, most: most) }
  }

  private static func readNow(
    _ path: String, most: Int
  ) throws(Failure) -> (contents: Data, file: OpenedFile?) {
    let file = try open(path)
    let opened = OpenedFile(path: path, descriptor: file.fileDescriptor)
    var contents = Data()
    while contents.count <= most {
      let part: Data?
      do {
        part = try file.read(upToCount: min(1 << 20, most + 1 - contents.count))
      } catch {
        throw .unreadable
      }
      guard let part, !part.isEmpty else { return (contents, opened) }
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
