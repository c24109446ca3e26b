package import Foundation

/// Reads a file line by line, with a limit on each line: a device under the same name could give
/// bytes without end.
package struct LineReader {
  private let file: FileHandle
  /// The file as it was before it was read; `nil` of a pipe or a device.
  package let opened: OpenedFile?
  /// The largest number of bytes of a line, without the byte that ends it.
  private let most: Int
  /// What was read after the last line that was returned.
  private var rest = Data()
  /// How many of the bytes in `rest` are known to have no end of a line.
  private var searched = 0
  private var isAtEnd = false

  /// - Throws: ``SmallFile/Failure``.
  package init(_ path: String, most: Int) throws(SmallFile.Failure) {
    file = try SmallFile.open(path)
    opened = OpenedFile(path: path, descriptor: file.fileDescriptor)
    self.most = most
  }

  /// The next line, without the byte that ends it; `nil` at the end of the file. Blocks the thread.
  ///
  /// - Throws: ``SmallFile/Failure``; `tooLarge` if the line has more bytes than the limit.
  package mutating func next() throws(SmallFile.Failure) -> Data? {
    while true {
      if let end = rest[(rest.startIndex + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        guard line.count <= most else { throw .tooLarge }
        rest = rest[(end + 1)...]
        searched = 0
        return line
      }
      searched = rest.count
      guard searched <= most else { throw .tooLarge }
      if isAtEnd {
        defer { (rest, searched) = (Data(), 0) }
        return rest.isEmpty ? nil : rest
      }
      let part: Data?
      do {
        part = try file.read(upToCount: 1 << 16)
      } catch {
        throw .unreadable
      }
      guard let part, !part.isEmpty else {
        isAtEnd = true
        continue
      }
      // Drops the lines that were returned. A long line is not copied for each of its parts.
      if rest.startIndex > 0 { rest = Data(rest) }
      rest.append(part)
    }
  }
}
