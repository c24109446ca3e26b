#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Memory for large arrays of pixels.
///
/// The kernel clears each page when it is first used, and that interruption costs more than the
/// work on a small page's pixels. A huge page has 512 times as many of them.
package enum HugePages {
  /// The fewest bytes for which asking pays: smaller blocks are used again and again.
  private static let least = 4 << 20
  private static let size = 2 << 20

  /// Memory that is in huge pages if it is large, to be given back by `free`; `nil` if there is none.
  package static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    #if os(Linux)
      guard count >= least else { return malloc(max(1, count)) }
      var start: UnsafeMutableRawPointer?
      guard posix_memalign(&start, size, count) == 0, let start else { return nil }
      prefer(for: UnsafeMutableRawBufferPointer(start: start, count: count))
      return start
    #else
      return malloc(max(1, count))
    #endif
  }

  /// Asks for huge pages for memory that was not used yet. The contents stay as they are, and
  /// nothing happens where the system has no huge pages.
  package static func prefer(for memory: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      guard memory.count >= least, let start = memory.baseAddress else { return }
      // A part of a huge page would take in memory of others.
      let first = (Int(bitPattern: start) + size - 1) & ~(size - 1)
      let end = (Int(bitPattern: start) + memory.count) & ~(size - 1)
      guard first < end else { return }
      madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, CInt(MADV_HUGEPAGE))
    #endif
  }
}
