import Foundation

/// A file that a process has open and adds to, and what others may do to it meanwhile: a program can
/// go on writing for hours to a file that has no name any more.
public struct GrowingFile: Sendable {
  /// What became of it.
  public enum Fault: Hashable, Sendable {
    case deleted
    case moved
    /// Its name leads to another file.
    case replaced
    case truncated(size: Int, written: Int)
    /// The system does not let it be seen, for this reason.
    case hidden(String)
  }

  private let path: String
  private let start: [UInt8]
  /// The most bytes that it is known to have had.
  private var size = 0

  /// - Parameters:
  ///   - path: the name by which it was opened.
  ///   - start: what it begins with as soon as anything is in it. So a file that was truncated and
  ///     then grew by writing at its former end is known.
  public init(path: String, start: [UInt8] = []) {
    self.path = path
    self.start = start
  }

  /// What is wrong, if its name does not lead to the file that is open any more, or something was taken
  /// from it.
  ///
  /// - Parameters:
  ///   - descriptor: of the open file; for reading if there is a `start`.
  ///   - written: how many bytes it has at least, if that is known.
  public mutating func fault(_ descriptor: CInt, written: Int = 0) -> Fault? {
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

  private func begins(_ descriptor: CInt) -> Bool {
    if start.isEmpty { return true }
    var bytes = [UInt8](repeating: 0, count: start.count)
    return pread(descriptor, &bytes, bytes.count, 0) == start.count && bytes == start
  }

  /// Whether a descriptor is of a file that has a name and a size, and not of a device or a pipe.
  public static func isFile(_ descriptor: CInt) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension GrowingFile.Fault: CustomStringConvertible {
  /// As the rest of a sentence that begins with the path.
  public var description: String {
    switch self {
    case .deleted: "it was deleted while it was in use"
    case .moved: "it was moved away while it was in use"
    case .replaced: "another file was put in its place while it was in use"
    case .truncated(let size, let written):
      "it was truncated while it was in use: \(written) bytes were written, and \(size) are left"
    case .hidden(let reason): "it cannot be seen any more (\(reason))"
    }
  }
}
