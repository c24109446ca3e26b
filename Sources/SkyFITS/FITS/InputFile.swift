import Foundation
import SkyFiles

/// A regular file that is open for reading.
///
/// The path goes unchanged to the kernel, and never to a library that would interpret `~` or
/// brackets in it.
final class InputFile: Sendable {
  let path: String
  let descriptor: CInt
  /// What the file was when it was opened.
  let stamp: FileStamp
  /// When the file was opened, in nanoseconds since 1970.
  let opened: Int
  /// The size in bytes when the file was opened.
  var size: Int { stamp.state.size }

  /// - Throws: ``FITSError`` if the file does not exist, is not a regular file, is empty, or cannot
  ///   be read.
  convenience init(path: String) throws {
    // The kind is checked before opening, because opening a device may have effects.
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.openError(path, errno) }
    try Self.checkKind(status, path)
    // Even if the path names something else by now, this call does not wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.openError(path, errno) }
    do {
      status = try FileState.settled(descriptor)
      try Self.checkKind(status, path)
    } catch let error as FileState.SystemError {
      close(descriptor)
      throw Self.openError(path, error.number)
    } catch {
      close(descriptor)
      throw error
    }
    self.init(path: path, descriptor: descriptor, status)
  }

  /// - Parameters:
  ///   - descriptor: the open file, which is closed with this value.
  ///   - status: what the file is now.
  init(path: String, descriptor: CInt, _ status: stat) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    self.path = path
    self.descriptor = descriptor
    opened = now.nanoseconds
    stamp = FileStamp(status, descriptor: descriptor)
  }

  deinit { close(descriptor) }

  /// - Throws: ``ChangedFile`` if the open file is not as it was when it was opened.
  func checkUnchanged() throws(ChangedFile) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileState(status) == stamp.state else {
      throw ChangedFile(path: path)
    }
  }

  /// The hash of all of the file's bytes, as they were when it was opened. Blocks the thread.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read; ``ChangedFile``.
  func hash() throws -> ContentsHash {
    let hash = try hashOfBytes()
    try checkUnchanged()
    return hash
  }

  private func hashOfBytes() throws -> ContentsHash {
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

  /// Fills a buffer with bytes of the file. Blocks the thread.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read, or ends too early.
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

  /// Reads at most as many bytes as the buffer holds; none at the end of the file.
  private func readSome(_ room: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    while true {
      let count = pread(descriptor, room.baseAddress, room.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw Self.readError(path, errno, "and its disk") }
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

  private static func openError(_ path: String, _ reason: CInt) -> FITSError {
    guard reason == ENOENT || reason == ENOTDIR else { return readError(path, reason) }
    let (fault, nextStep) = OddName.absence(
      of: path,
      or: (
        "there is no such file",
        "check the path, which starts from the current directory if it has no leading /"
      ))
    return FITSError(.notFound, path: path, fault: fault, nextStep: nextStep)
  }

  private static func readError(
    _ path: String, _ reason: CInt, _ more: String? = nil
  ) -> FITSError {
    FITSError(
      .notReadable, path: path, fault: "cannot be read (\(String(cString: strerror(reason))))",
      nextStep: "check its permissions" + (more.map { " \($0)" } ?? ""))
  }
}
