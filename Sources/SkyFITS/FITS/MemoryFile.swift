import CCFITSIO
package import Foundation

/// A FITS file that is written in memory.
///
/// Not `Sendable`: CFITSIO's handles must not be used by two threads at once.
package final class MemoryFile {
  package let file: CFITSIO.File
  /// CFITSIO keeps the addresses of both for as long as the file is open, and grows the memory.
  private let memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let size: UnsafeMutablePointer<Int>

  /// How much more memory is taken at a time, in bytes.
  private static let growth = 1 << 20

  /// - Throws: ``FITSError``.
  package init() throws {
    memory = .allocate(capacity: 1)
    memory.initialize(to: nil)
    size = .allocate(capacity: 1)
    size.initialize(to: 0)
    var status: CInt = 0
    guard let file = CFITSIO.createInMemory(memory, size, growth: Self.growth, &status),
      status == 0
    else {
      memory.deallocate()
      size.deallocate()
      throw Self.error(status)
    }
    self.file = file
  }

  deinit {
    // A file that was not finished need not be: what is closed is thrown away.
    var status: CInt = 0
    CFITSIO.close(file, &status)
    free(memory.pointee)
    memory.deallocate()
    size.deallocate()
  }

  /// The whole file, up to the end of its last unit. Nothing is to be written after it.
  ///
  /// - Parameter status: what the writing of its units left.
  /// - Throws: ``FITSError`` if they could not be written.
  package func contents(_ status: CInt) throws -> Data {
    var status = status
    CFITSIO.flush(file, &status)
    let end = CFITSIO.dataEnd(file, &status)
    guard status == 0, let start = memory.pointee, end <= size.pointee else {
      throw Self.error(status)
    }
    return Data(bytes: start, count: end)
  }

  private static func error(_ status: CInt) -> FITSError {
    FITSError(
      .writeFailed, path: "memory",
      fault: "no FITS file can be written there (\(CFITSIO.words(for: status)))",
      nextStep: "see whether this machine is out of memory")
  }
}
