#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A label for each pixel of a patch: 0 at first.
///
/// The memory comes as the system clears it, page by page where a source is; to fill an array with zeros would first
/// touch all of it, which took longer than to find the sources.
final class PixelLabels {
  /// Valid as long as this object is.
  let all: UnsafeMutableBufferPointer<Int32>

  init(count: Int) {
    // Without memory the process ends, as it does where an array has none.
    guard let memory = calloc(max(1, count), MemoryLayout<Int32>.stride) else {
      fatalError("no memory for the labels of \(count) pixels")
    }
    all = UnsafeMutableBufferPointer(
      start: memory.bindMemory(to: Int32.self, capacity: count), count: count)
    HugePages.prefer(for: UnsafeMutableRawBufferPointer(all))
  }

  deinit { free(all.baseAddress) }
}
