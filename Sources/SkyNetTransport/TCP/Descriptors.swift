#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How many files this process may have open, sockets among them.
package enum Descriptors {
  /// How many it may have open at a time, as `ulimit -n` shows.
  package static var limit: Int {
    var limits = rlimit()
    #if canImport(Glibc)
      let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #else
      let status = getrlimit(RLIMIT_NOFILE, &limits)
    #endif
    return status == 0 ? Int(clamping: limits.rlim_cur) : Int.max
  }

  /// How many more it can open; at most `count`, where counting ends.
  package static func left(upTo count: Int) -> Int {
    var left = 0
    // Where many are free the loop soon ends.
    for descriptor in 0..<CInt(clamping: limit) where fcntl(descriptor, F_GETFD) < 0 {
      left += 1
      if left >= count { break }
    }
    return left
  }
}
