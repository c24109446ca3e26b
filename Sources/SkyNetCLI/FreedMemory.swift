import Foundation

#if canImport(Glibc)
  import CMalloc
#endif

/// What the C library does with memory that was freed.
enum FreedMemory {
  /// Keeps some of it, 16 MiB for each of the library's arenas, for the next sectors' pixels.
  ///
  /// Unless told so, the library hands more than a megabyte of it, and each larger block, back to the
  /// kernel at once, which clears its pages when they are asked for again: two fifths of the processor
  /// time that a node spent on a sector's pixels, beside their scan.
  ///
  /// - Parameter addressesAreLimited: whether the process may not have all addresses that it asks for.
  static func keepSome(addressesAreLimited: Bool) {
    #if canImport(Glibc)
      mallopt(M_TRIM_THRESHOLD, 16 << 20)
      mallopt(M_MMAP_THRESHOLD, 4 << 20)
      // Each further arena reserves 64 MiB of addresses for what may be a few pages, and where those
      // are limited that is taken from what is needed.
      if addressesAreLimited { mallopt(M_ARENA_MAX, 1) }
    #endif
  }
}
