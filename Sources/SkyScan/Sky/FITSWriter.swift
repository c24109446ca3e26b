import Foundation
import SkyFITS
import SkyFiles

/// Writes FITS files, on a queue of its own because writing blocks.
actor FITSWriter {
  private let queue = FITSQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Draws a sky and writes it to a new file, in unsigned 16-bit integers, one band of rows after
  /// the other. If writing fails, the incomplete file is removed. An open descriptor, and `-` for standard output, gets
  /// the file's bytes.
  ///
  /// CFITSIO is not used, because it interprets more in a path than the file's place. A plain image
  /// is a header and its numbers (FITS Standard 4.0, sections 3.3 and 4.4).
  ///
  /// - Throws: ``FITSError`` if the file cannot be written; `CancellationError` if the task is
  ///   cancelled before the last band.
  func write(_ sky: SyntheticSky, to path: String) throws {
    guard !OddName.isOne(path) else {
      throw FITSError(
        .writeFailed, path: path, fault: OddName.fault, nextStep: "give another name")
    }
    if case .descriptor(let descriptor) = LinkEnd(output: path) {
      guard LinkEnd.isOutput(descriptor) else { throw Self.failure(path, EBADF) }
      return try write(sky, path, descriptor)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw FITSError(
        .writeFailed, path: path, fault: "cannot be made (\(String(cString: strerror(errno))))",
        nextStep: "check that its directory may be written, and that there is no such file yet")
    }
    do {
      try write(sky, path, descriptor)
    } catch {
      close(descriptor)
      // An incomplete image is useless, and would prevent another try.
      unlink(path)
      throw error
    }
    guard close(descriptor) == 0 else {
      let reason = errno
      unlink(path)
      throw Self.failure(path, reason)
    }
  }

  private func write(_ sky: SyntheticSky, _ path: String, _ descriptor: CInt) throws {
    try put(Self.header(of: sky), path, descriptor)
    var bands = SkyBands(sky)
    var written = 0
    while let band = bands.next() {
      try Task.checkCancellation()
      // The stored numbers are the values minus BZERO, with the most significant byte first.
      let stored = band.map { ($0 ^ 0x8000).bigEndian }
      try stored.withUnsafeBytes { try put($0, path, descriptor) }
      written += 2 * band.count
    }
    try put([UInt8](repeating: 0, count: Self.missing(written)), path, descriptor)
  }

  private func put(
    _ bytes: some Collection<UInt8>, _ path: String, _ descriptor: CInt
  ) throws {
    let reason = NamedPipe.mayWait(for: path) {
      Data(bytes).withUnsafeBytes { WholeWrite.write($0, to: descriptor) }
    }
    if let reason { throw Self.failure(path, reason) }
  }

  private static func failure(_ path: String, _ reason: CInt) -> FITSError {
    FITSError(
      .writeFailed, path: path,
      fault: "cannot be written (\(String(cString: strerror(reason))))",
      nextStep: "see whether its disk is full")
  }

  /// The number of bytes that are missing to whole blocks.
  private static func missing(_ length: Int) -> Int { (2880 - length % 2880) % 2880 }

  private static func header(of sky: SyntheticSky) -> [UInt8] {
    func card(_ keyword: String, _ value: String, _ comment: String) -> String {
      keyword.padding(toLength: 8, withPad: " ", startingAt: 0) + "= "
        + String(repeating: " ", count: 20 - value.count) + value + " / " + comment
    }
    // The cards that CFITSIO writes, in its order.
    let cards = [
      card("SIMPLE", "T", "file does conform to FITS standard"),
      card("BITPIX", "16", "number of bits per data pixel"),
      card("NAXIS", "2", "number of data axes"),
      card("NAXIS1", "\(sky.width)", "length of data axis 1"),
      card("NAXIS2", "\(sky.height)", "length of data axis 2"),
      card("EXTEND", "T", "FITS dataset may contain extensions"),
      "COMMENT   FITS (Flexible Image Transport System) format is defined in 'Astronomy",
      "COMMENT   and Astrophysics', volume 376, page 359; bibcode: 2001A&A...376..359H",
      card("BZERO", "32768", "offset data range to that of unsigned short"),
      card("BSCALE", "1", "default scaling factor"),
      "END",
    ]
    let text = cards.map { $0.padding(toLength: 80, withPad: " ", startingAt: 0) }.joined()
    return Array(text.utf8) + [UInt8](repeating: 0x20, count: missing(text.utf8.count))
  }
}
