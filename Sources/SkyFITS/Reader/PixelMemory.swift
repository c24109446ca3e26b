import CProcess
import Foundation

/// Memory that an image's pixels are read into, which two processes may share.
///
/// What is in it may change under the reader's eyes if the other process is not what it should be, so
/// it holds pixels alone, of which any value is allowed, and nothing is checked in it and used later.
/// A system that shares no memory has none for itself either.
final class PixelMemory {
  /// Enough for whole rows of most images: those are read together.
  static let size = 64 << 20

  let bytes: UnsafeMutableRawBufferPointer
  /// What another process can map; none of memory that is not shared.
  private(set) var descriptor: CInt?

  /// - Parameter isShared: whether another process is to have it too.
  /// - Throws: ``FITSError``, without a path, if there is no memory.
  init(isShared: Bool) throws {
    guard isShared else {
      bytes = try Self.mapped(MAP_PRIVATE | MAP_ANONYMOUS, -1)
      #if os(Linux)
        // In large pages, where there are any: the first touch of a page costs more than its pixels.
        madvise(bytes.baseAddress, bytes.count, MADV_HUGEPAGE)
      #endif
      return
    }
    let descriptor = process_shared_memory(Self.size)
    guard descriptor >= 0 else { throw Self.none(errno) }
    do {
      bytes = try Self.mapped(MAP_SHARED, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// Memory that another process shares; the descriptor need not stay open.
  init(descriptor: CInt) throws {
    bytes = try Self.mapped(MAP_SHARED, descriptor)
  }

  /// The other process has it now.
  func closeDescriptor() {
    if let descriptor { close(descriptor) }
    descriptor = nil
  }

  deinit {
    munmap(bytes.baseAddress, bytes.count)
    closeDescriptor()
  }

  private static func mapped(
    _ flags: CInt, _ descriptor: CInt
  ) throws -> UnsafeMutableRawBufferPointer {
    guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, descriptor, 0),
      start != MAP_FAILED
    else { throw none(errno) }
    return UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  private static func none(_ reason: CInt) -> FITSError {
    FITSError(
      .readFailed, path: "memory",
      fault: "there are no \(size >> 20) MiB to read an image with "
        + "(\(String(cString: strerror(reason))))",
      nextStep: "see whether the memory of this process is limited")
  }
}
