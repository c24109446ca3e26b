import Foundation

/// Says what is wrong with a path before CFITSIO, whose own words are "failed to find or open".
///
/// - Throws: ``FITSError`` if there is no such file, or it is no file, or is empty or unreadable.
func checkReadableFile(_ path: String) throws {
  var status = stat()
  guard stat(path, &status) == 0 else {
    let reason = errno
    switch reason {
    case ENOENT, ENOTDIR:
      throw FITSError(
        .notFound, path: path, fault: "there is no such file",
        nextStep: "check the path, which starts from the current directory if it has no leading /")
    default:
      throw unreadable(path, reason)
    }
  }
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
  guard access(path, R_OK) == 0 else { throw unreadable(path, errno) }
}

private func unreadable(_ path: String, _ reason: Int32) -> FITSError {
  FITSError(
    .notReadable, path: path, fault: "cannot be read (\(String(cString: strerror(reason))))",
    nextStep: "check its permissions")
}

/// Whether a file begins as FITS does, or as a compressed file that may hold FITS.
enum FileSignature {
  case fits, compressed, other

  init(path: String) {
    guard let file = fopen(path, "rb") else {
      self = .other
      return
    }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 9)
    let count = fread(&start, 1, start.count, file)
    self.init(start: start.prefix(count))
  }

  init(start: ArraySlice<UInt8>) {
    if start.starts(with: Array("SIMPLE  =".utf8)) {
      self = .fits
    } else if start.starts(with: [0x1f, 0x8b]) || start.starts(with: [0x1f, 0x9d]) {
      self = .compressed
    } else {
      self = .other
    }
  }
}
