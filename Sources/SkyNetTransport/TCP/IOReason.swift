import NIOCore

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

  /// The plain words of an error, where it has some.
  static func text(for error: any Error) -> String {
    (error as? IOError).map { text(for: $0.errnoCode) } ?? "\(error)"
  }

  /// Whether an `errno` says that the machine has no IPv6.
  static func isNoIPv6(_ code: CInt) -> Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }
}
