import Foundation

/// A file that is open for reading, and no directory or device.
///
/// Its path is a path and nothing else: it goes to the kernel as it is, and never to a library that
/// would make something of `~` or of brackets in it.
final class InputFile: Sendable {
  let path: String
  let descriptor: CInt
  /// In bytes, when it was opened.
  let size: Int

  /// - Throws: ``FITSError`` if there is no such file, or it is no file, or is empty or unreadable.
  init(path: String) throws {
    // Looked at first, as opening a device may do something to it.
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.absent(path, errno) }
    try Self.checkKind(status, path)
    // Whatever is in its place by now, this does not wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.absent(path, errno) }
    do {
      guard fstat(descriptor, &status) == 0 else { throw Self.absent(path, errno) }
      try Self.checkKind(status, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// What tells its contents from others', by all of its bytes. It blocks the thread.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read.
  func hash() throws -> ContentsHash {
    var hash = ContentsHash()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { chunk.deallocate() }
    var offset = 0
    while true {
      let count = try readSome(chunk, at: offset)
      guard count > 0 else { return hash }
      hash.add(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      offset += count
    }
  }

  /// Reads as many bytes as there is room for. It blocks the thread.
  ///
  /// - Throws: ``FITSError`` if it cannot, or the file ends before.
  func read(_ room: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    var done = 0
    while done < room.count {
      let count = try readSome(
        UnsafeMutableRawBufferPointer(rebasing: room[done...]), at: offset + done)
      guard count > 0 else {
        throw FITSError(
          .truncated, path: path,
          fault: "has become shorter since it was opened: it ends before byte \(offset + done)",
          nextStep: "scan it again when it is complete")
      }
      done += count
    }
  }

  /// Reads some bytes, at most as many as there is room for; none at the file's end.
  private func readSome(_ room: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    while true {
      let count = pread(descriptor, room.baseAddress, room.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw Self.unreadable(path, errno, "and its disk") }
    }
  }

  private static func checkKind(_ status: stat, _ path: String) throws {
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw FITSError(
        .notAFile, path: path, fault: "is a directory", nextStep: "give one FITS file in it")
    default:
      throw FITSError(
        .notAFile, path: path, fault: "is not a regular file",
        nextStep: "save the image as a file first; it is read in any order")
    }
    guard status.st_size > 0 else {
      throw FITSError(.notFITS, path: path, fault: "is empty", nextStep: "fetch it again")
    }
  }

  private static func absent(_ path: String, _ reason: CInt) -> FITSError {
    guard reason == ENOENT || reason == ENOTDIR else { return unreadable(path, reason) }
    return FITSError(
      .notFound, path: path, fault: "there is no such file",
      nextStep: "check the path, which starts from the current directory if it has no leading /")
  }

  private static func unreadable(
    _ path: String, _ reason: CInt, _ more: String? = nil
  ) -> FITSError {
    FITSError(
      .notReadable, path: path, fault: "cannot be read (\(String(cString: strerror(reason))))",
      nextStep: "check its permissions" + (more.map { " \($0)" } ?? ""))
  }
}
