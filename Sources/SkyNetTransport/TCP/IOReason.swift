import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Plain words for errors of the operating system.
enum IOReason {
  /// The system's text for an `errno` or a code of `getaddrinfo`, with a remedy if one is known.
  static func text(for code: CInt) -> String {
    // The codes of getaddrinfo are below zero.
    if code < 0, let text = gai_strerror(code) { return String(cString: text).lowercased() }
    guard let text = strerror(code) else { return "error \(code)" }
    let remedy = code == EMFILE ? " (raise the limit that `ulimit -n` shows)" : ""
    return String(cString: text).lowercased() + remedy
  }

  /// Whether an `errno` says that the process or the machine is short of something, so that a later try may
  /// succeed.
  static func isShortage(_ code: CInt) -> Bool {
    [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
  }

  /// The system's text for an `IOError`, or the error's own description.
  static func text(for error: any Error) -> String {
    (error as? IOError).map { text(for: $0.errnoCode) } ?? "\(error)"
  }

  /// Whether an `errno` says that the machine does not have an address, or no address of that family.
  static func isNoAddress(_ code: CInt) -> Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }
}
