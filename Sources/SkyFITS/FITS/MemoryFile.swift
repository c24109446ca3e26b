import CCFITSIO
package import Foundation

/// A FITS file that is written in memory.
///
/// It is not `Sendable`: two threads must not use a CFITSIO handle at once.
package final class MemoryFile {
  package let file: CFITSIO.File
  /// CFITSIO keeps these two pointers for as long as the file is open, and reallocates the memory.
  private let memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let size: UnsafeMutablePointer<Int>

  /// The memory grows by this many bytes at a time.
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
    // An unfinished file may be closed, because its contents are discarded.
    var status: CInt = 0
    CFITSIO.close(file, &status)
    free(memory.pointee)
    memory.deallocate()
    size.deallocate()
  }

  /// The whole file, up to the end of its last unit. The file must not be written afterwards.
  ///
  /// - Parameter status: the status after the units were written.
  /// - Throws: ``FITSError`` if the units could not be written.
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
      fault: "no FITS file can be written there (\(CFITSIO.message(for: status)))",
      nextStep: "see whether this machine is out of memory")
  }
}
