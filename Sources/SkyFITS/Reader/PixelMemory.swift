import CProcess
import Foundation

/// Memory for an image's pixels, which two processes may share.
///
/// If the other process was taken over, it may change the contents at any time. So the memory holds
/// only pixels, for which every value is valid, and no code checks a value there and uses it later.
/// If the system cannot share memory, making shared memory fails; there is no fallback to unshared
/// memory.
final class PixelMemory {
  /// Enough for whole rows of most images, which are read together.
  static let size = 64 << 20

  let bytes: UnsafeMutableRawBufferPointer
  /// The descriptor that another process can map; `nil` for memory that is not shared.
  private(set) var descriptor: CInt?

  /// - Parameter isShared: whether another process is to map the memory too.
  /// - Throws: ``FITSError``, without a path, if there is not enough memory.
  init(isShared: Bool) throws {
    guard isShared else {
      bytes = try Self.mapped(MAP_PRIVATE | MAP_ANONYMOUS, -1)
      #if os(Linux)
        // Huge pages, where the system has them: the first access to a page costs more than reading
        // its pixels.
        madvise(bytes.baseAddress, bytes.count, MADV_HUGEPAGE)
      #endif
      return
    }
    let descriptor = process_shared_memory(Self.size)
    guard descriptor >= 0 else { throw Self.unavailable(errno) }
    do {
      bytes = try Self.mapped(MAP_SHARED, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// Maps memory that another process shares. The caller may close the descriptor afterwards.
  init(descriptor: CInt) throws {
    bytes = try Self.mapped(MAP_SHARED, descriptor)
  }

  /// Closes the descriptor after the other process has received it.
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
    else { throw unavailable(errno) }
    return UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  private static func unavailable(_ reason: CInt) -> FITSError {
    FITSError(
      .readFailed, path: "memory",
      fault: "there are no \(size >> 20) MiB to read an image with "
        + "(\(String(cString: strerror(reason))))",
      nextStep: reason == EFBIG
        ? "raise the limit on the size of files (ulimit -f), which holds for this memory too"
        : "see whether the memory of this process is limited")
  }
}
