import CCFITSIO
import SkyNetCore

/// An open `fitsfile`, closed when the last reference goes.
///
/// Not `Sendable`, and must not become so: ``FITSFile`` keeps it on one queue.
final class FITSHandle {
  let path: String
  let file: CFITSIO.File

  /// Opens a file for reading, gzipped or not. The path is taken as it is: CFITSIO's extended
  /// syntax, in which brackets and parentheses in a name mean something, is not used.
  ///
  /// - Throws: ``FITSError``.
  init(path: String) throws {
    guard path.utf8.count < Int(FLEN_FILENAME) else {
      throw FITSError(
        .notReadable, path: path,
        fault: "the path has \(path.utf8.count) bytes, at most \(FLEN_FILENAME - 1) are allowed",
        nextStep: "give a shorter one")
    }
    var status: CInt = 0
    guard let opened = CFITSIO.open(path, &status), status == 0 else {
      throw Self.openError(path: path, status: status)
    }
    self.path = path
    file = opened
  }

  deinit {
    var status: CInt = 0
    CFITSIO.close(file, &status)
  }

  private static func openError(path: String, status: CInt) -> FITSError {
    switch FileSignature(path: path) {
    case .other:
      return FITSError(
        .notFITS, path: path, fault: "is not a FITS file (it does not begin with SIMPLE  =)",
        nextStep: "give a FITS image, gzipped or not")
    case .compressed:
      return FITSError(
        .truncated, path: path,
        fault: "cannot be decompressed to a FITS file (\(CFITSIO.words(for: status)))",
        nextStep: "fetch it again, or look at it with gzip -t")
    case .fits:
      return FITSError(
        .truncated, path: path,
        fault: "its header is cut off or damaged (\(CFITSIO.words(for: status)))",
        nextStep: "fetch it again")
    }
  }

  /// An error for a CFITSIO status, with its own words.
  func error(_ status: CInt, doing what: String) -> FITSError {
    FITSError(
      .readFailed, path: path, fault: "\(what) failed (\(CFITSIO.words(for: status)))",
      nextStep: "see whether the file is intact and its disk readable")
  }
}
