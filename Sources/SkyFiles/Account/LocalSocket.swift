// As FileSystemCalls.swift, it imports no Foundation.
import CProcess

/// A connection between two processes of this machine, which only its own kernel can make: a path on a disk that
/// another machine has too leads to nobody there.
struct LocalSocket: ~Copyable {
  let descriptor: CInt

  /// - Returns: `nil` for what a failed call returns.
  private init?(_ descriptor: CInt) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  /// Listens at a path that is free. ``accepted(by:)`` does not wait for who comes.
  init?(listeningAt path: String) { self.init(process_local_socket(path, 1, 0)) }

  /// Connects to whoever listens at a path, and waits so many seconds for it and for what it sends. If nobody listens,
  /// `errno` is ENOENT or ECONNREFUSED.
  init?(connectedTo path: String, within seconds: CInt) {
    self.init(process_local_socket(path, 0, seconds))
  }

  deinit { close(descriptor) }

  /// The next who comes; `nil` if nobody waits.
  static func accepted(by listener: CInt) -> LocalSocket? {
    LocalSocket(accept(listener, nil, nil))
  }

  /// Leaves the descriptor open, and to the caller.
  consuming func released() -> CInt {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  private var peer: (user: uid_t, process: pid_t)? {
    var (user, process) = (uid_t(), pid_t())
    return process_peer(descriptor, &user, &process) == 0 ? (user, process) : nil
  }

  /// Whether the process at the other end is of this process's user.
  var isOfThisUser: Bool { peer?.user == geteuid() }

  /// Whether that process is of this process's PID namespace, and so of the same container, or of none.
  var isOfThisNamespace: Bool {
    #if os(Linux)
      guard let process = peer?.process, process > 0, let own = Self.namespace(of: "self") else {
        return false
      }
      return own == Self.namespace(of: "\(process)")
    #else
      return true
    #endif
  }

  private static func namespace(of process: String) -> [CChar]? {
    var name = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/\(process)/ns/pid", &name, name.count)
    return count > 0 ? Array(name.prefix(count)) : nil
  }

  /// Sends a few bytes, for which an open socket has room, and does not wait.
  static func send(_ bytes: [UInt8], through descriptor: CInt) {
    _ = process_send(descriptor, bytes, bytes.count, nil, 0)
  }

  /// So many bytes at once; `nil` if they do not come in time.
  func receive(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(descriptor, &bytes, count, CInt(MSG_WAITALL)) == count ? bytes : nil
  }
}
