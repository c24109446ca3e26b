import CCFITSIO

/// An open `fitsfile`, which is closed when the last reference goes.
///
/// It is not `Sendable`, and must not become so: two threads must not use a CFITSIO handle at once.
final class FITSHandle {
  /// The path in errors.
  let path: String
  let file: CFITSIO.File
  let contents: FileBytes
  /// CFITSIO keeps these two pointers for as long as the file is open.
  private let memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let size: UnsafeMutablePointer<Int>

  /// Opens a file that is in memory. CFITSIO gets no path, because it interprets more in a path
  /// than the file's place.
  ///
  /// - Throws: ``FITSError``.
  init(_ contents: FileBytes, path: String) throws {
    memory = .allocate(capacity: 1)
    memory.initialize(to: contents.start)
    size = .allocate(capacity: 1)
    size.initialize(to: contents.filledCount)
    var status: CInt = 0
    guard let opened = CFITSIO.openInMemory(memory, size, &status), status == 0 else {
      memory.deallocate()
      size.deallocate()
      throw Self.openError(path: path, contents.signature, status: status)
    }
    self.path = path
    self.contents = contents
    file = opened
  }

  deinit {
    var status: CInt = 0
    CFITSIO.close(file, &status)
    memory.deallocate()
    size.deallocate()
  }

  private static func openError(
    path: String, _ signature: FileSignature, status: CInt
  ) -> FITSError {
    switch signature {
    case .other, .gzip:
      return FITSError(
        .notFITS, path: path, fault: "is not a FITS file (it does not begin with SIMPLE  =)",
        nextStep: "give a FITS image, gzipped or not")
    case .otherCompressed:
      return FITSError(
        .notFITS, path: path, fault: "is compressed, and not by gzip or fpack",
        nextStep: "decompress it first (gunzip does it for .Z, bunzip2 for .bz2)")
    case .fits:
      return FITSError(
        .truncated, path: path,
        fault: "its header is cut off or damaged (\(CFITSIO.message(for: status)))",
        nextStep: "fetch it again")
    }
  }

  /// The error for a CFITSIO status, with CFITSIO's message.
  func error(_ status: CInt, doing what: String) -> FITSError {
    FITSError(
      .readFailed, path: path, fault: "\(what) failed (\(CFITSIO.message(for: status)))",
      nextStep: "see whether the file is intact and its disk readable")
  }
}
