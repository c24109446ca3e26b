import Foundation
import Synchronization

#if canImport(Glibc)
  import CMalloc
#endif

/// How the C library's allocator treats memory that was freed.
enum Allocator {
  private static let kept: CInt = 32 << 20
  private static let trimming = Mutex(())

  /// Keeps up to 32 MiB of freed memory in each of the allocator's arenas, for the next sectors'
  /// bytes.
  ///
  /// By default the allocator returns each large block, and anything beyond a megabyte, to the
  /// kernel at once, and the kernel clears the pages when they are needed again. That was two
  /// fifths of the processor time that a node spent on a sector's bytes, beside the scan itself.
  /// Some messages are larger than a sector's, up to some 16 MiB.
  ///
  /// - Parameter addressesAreLimited: whether the process's address space is limited.
  static func keepFreedMemory(addressesAreLimited: Bool) {
    #if canImport(Glibc)
      mallopt(M_TRIM_THRESHOLD, kept)
      mallopt(M_MMAP_THRESHOLD, 16 << 20)
      // Each further arena reserves 64 MiB of addresses, perhaps for a few pages. Where the address
      // space is limited, the process needs those addresses for other things.
      if addressesAreLimited { mallopt(M_ARENA_MAX, 1) }
    #endif
  }

  /// Gives the freed memory between blocks in use back to the kernel, in all arenas.
  static func giveBackGaps() {
    #if canImport(Glibc)
      malloc_trim(0)
    #endif
  }

  /// Gives the freed memory at the end of the calling thread's arena back to the kernel. `malloc_trim`
  /// does that in the main arena alone.
  static func giveBackEnd() {
    #if canImport(Glibc)
      trimming.withLock { _ in
        mallopt(M_TRIM_THRESHOLD, 0)
        skynet_touch_arena()
        mallopt(M_TRIM_THRESHOLD, kept)
      }
    #endif
  }
}
