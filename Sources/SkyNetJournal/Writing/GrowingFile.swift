import Foundation

/// A file that this process has open and appends to. It detects that the file was deleted, moved,
/// replaced or truncated meanwhile; without that check, a program could write for hours to a file
/// that has no name any more.
package struct GrowingFile: Sendable {
  /// A change to the file that is not growth.
  package enum Fault: Hashable, Sendable {
    case deleted
    case moved
    /// The path leads to another file.
    case replaced
    case truncated(size: Int, written: Int)
    /// The file's status cannot be read, for this reason.
    case hidden(String)
  }

  private let path: String
  private let start: [UInt8]
  /// The largest known size of the file, in bytes.
  private var size = 0

  /// - Parameters:
  ///   - path: the path by which the file was opened.
  ///   - start: the file's first bytes, once it has any. With them a file is recognized that was
  ///     truncated and then grew again by a write at its former end.
  package init(path: String, start: [UInt8] = []) {
    self.path = path
    self.start = start
  }

  /// The fault, if the path no longer leads to the open file, or the file has become shorter; `nil`
  /// otherwise.
  ///
  /// - Parameters:
  ///   - descriptor: the open file's descriptor; readable if there is a `start`.
  ///   - written: how many bytes the file must have at least, if that is known.
  package mutating func fault(_ descriptor: CInt, written: Int = 0) -> Fault? {
    var (open, named) = (stat(), stat())
    guard fstat(descriptor, &open) == 0 else { return .hidden(String(cString: strerror(errno))) }
    guard stat(path, &named) == 0 else {
      let reason = errno
      guard reason == ENOENT || reason == ENOTDIR else {
        return .hidden(String(cString: strerror(reason)))
      }
      return open.st_nlink == 0 ? .deleted : .moved
    }
    guard open.st_dev == named.st_dev, open.st_ino == named.st_ino else { return .replaced }
    size = max(size, written)
    guard open.st_size >= size else {
      return .truncated(size: Int(open.st_size), written: size)
    }
    size = Int(open.st_size)
    return size == 0 || begins(descriptor) ? nil : .truncated(size: 0, written: size)
  }

  /// Takes the file for whole as it is now, although it has become shorter.
  mutating func takeAsWhole() { size = 0 }

  private func begins(_ descriptor: CInt) -> Bool {
    if start.isEmpty { return true }
    var bytes = [UInt8](repeating: 0, count: start.count)
    return pread(descriptor, &bytes, bytes.count, 0) == start.count && bytes == start
  }

  /// Whether a descriptor is of a regular file, not of a device or a pipe.
  package static func isFile(_ descriptor: CInt) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension GrowingFile.Fault: CustomStringConvertible {
  /// The rest of a sentence that begins with the path.
  package var description: String {
    switch self {
    case .deleted: "it was deleted while it was in use"
    case .moved: "it was moved away while it was in use"
    case .replaced: "another file was put in its place while it was in use"
    case .truncated(let size, let written):
      "it was truncated while it was in use: \(written) bytes were written, and \(size) are left"
    case .hidden(let reason): "its status cannot be read any more (\(reason))"
    }
  }
}
