import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

enum IOReason {
  /// What the system says of an `errno`, or of a code of `getaddrinfo`, and what to do if that is known.
  static func text(for code: CInt) -> String {
    // Those of getaddrinfo are below zero.
    if code < 0, let text = gai_strerror(code) { return String(cString: text).lowercased() }
    guard let text = strerror(code) else { return "error \(code)" }
    let remedy = code == EMFILE ? " (raise the limit that `ulimit -n` shows)" : ""
    return String(cString: text).lowercased() + remedy
  }

  /// Whether an `errno` says that the process or the machine has too little of something, so that it
  /// may go better later.
  static func isShortage(_ code: CInt) -> Bool {
    [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
  }

  /// The plain words of an error, where it has some.
  static func text(for error: any Error) -> String {
    (error as? IOError).map { text(for: $0.errnoCode) } ?? "\(error)"
  }

  /// Whether an `errno` says that the machine does not have an address, or any of its kind.
  static func isNoAddress(_ code: CInt) -> Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }
}
