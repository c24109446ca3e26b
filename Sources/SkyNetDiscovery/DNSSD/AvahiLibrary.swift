#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What Avahi's libdns_sd needs before its first call. Another libdns_sd takes no notice.
enum AvahiLibrary {
  static func prepare() {
    // Or it writes a paragraph against itself to standard error.
    setenv("AVAHI_COMPAT_NOWARN", "1", 1)
    zeroAllocatedMemory()
  }

  /// Has libavahi-common allocate zeroed memory.
  ///
  /// Up to version 0.8, libdns_sd leaves the callbacks of a new reference uninitialised, save the
  /// one it sets, and when the daemon goes away it calls the first that is not null: with a
  /// reference that resolves or queries, whatever the memory held before (Avahi's pull request
  /// 569 mends it).
  private static func zeroAllocatedMemory() {
    // Looked up at run time: this is Avahi's alone, and comes with its libdns_sd.
    guard let program = dlopen(nil, RTLD_NOW),
      let symbol = dlsym(program, "avahi_set_allocator")
    else { return }
    typealias SetAllocator = @convention(c) (UnsafeRawPointer?) -> Void
    // So it is declared in <avahi-common/malloc.h>.
    let setAllocator = unsafeBitCast(symbol, to: SetAllocator.self)
    // Never freed: the library keeps the pointer.
    let allocator = UnsafeMutablePointer<AvahiAllocator>.allocate(capacity: 1)
    allocator.initialize(to: AvahiAllocator())
    setAllocator(allocator)
  }
}

/// The C structure of that name: four function pointers, in this order.
private struct AvahiAllocator {
  let allocate: @convention(c) (Int) -> UnsafeMutableRawPointer? = { calloc(1, $0) }
  let deallocate: @convention(c) (UnsafeMutableRawPointer?) -> Void = { free($0) }
  let reallocate: @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer? = {
    realloc($0, $1)
  }
  let allocateZeroed: @convention(c) (Int, Int) -> UnsafeMutableRawPointer? = { calloc($0, $1) }
}
