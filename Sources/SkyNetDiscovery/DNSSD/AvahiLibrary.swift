import CDNSSD

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Prepares Avahi's libdns_sd. Another libdns_sd ignores this.
enum AvahiLibrary {
  /// To be called before any function of libdns_sd.
  static func prepare() {
    // Otherwise the library writes a warning against its own use to standard error.
    setenv("AVAHI_COMPAT_NOWARN", "1", 1)
    zeroAllocatedMemory()
  }

  /// Makes libavahi-common allocate zeroed memory.
  ///
  /// Up to version 0.8, libdns_sd sets one callback of a new reference and leaves the others uninitialised.
  /// When the daemon goes away, the library calls the first callback that is not null, which for a reference
  /// that resolves or queries is whatever the memory held before (Avahi's pull request 569 mends it).
  private static func zeroAllocatedMemory() {
    // Looked up at run time, as only Avahi's libdns_sd has this function.
    guard let symbol = dns_sd_function("avahi_set_allocator") else { return }
    typealias SetAllocator = @convention(c) (UnsafeRawPointer?) -> Void
    // As declared in <avahi-common/malloc.h>.
    let setAllocator = unsafeBitCast(symbol, to: SetAllocator.self)
    // Never freed, as the library keeps the pointer.
    let allocator = UnsafeMutablePointer<AvahiAllocator>.allocate(capacity: 1)
    allocator.initialize(to: AvahiAllocator())
    setAllocator(allocator)
  }
}

/// The C structure `AvahiAllocator`: four function pointers, in this order.
private struct AvahiAllocator {
  let allocate: @convention(c) (Int) -> UnsafeMutableRawPointer? = { calloc(1, $0) }
  let deallocate: @convention(c) (UnsafeMutableRawPointer?) -> Void = { free($0) }
  let reallocate: @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer? = {
    realloc($0, $1)
  }
  let allocateZeroed: @convention(c) (Int, Int) -> UnsafeMutableRawPointer? = { calloc($0, $1) }
}
