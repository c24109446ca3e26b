#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

enum IOReason {
  /// What the system says of an `errno`.
  static func text(for code: CInt) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text).lowercased()
  }

  /// Whether an `errno` says that the machine has no IPv6.
  static func isNoIPv6(_ code: CInt) -> Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }
}
