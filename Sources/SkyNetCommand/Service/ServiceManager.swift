import Foundation

/// The service manager that started this process, such as systemd, which waits to be told how the process is.
///
/// The protocol is that of sd_notify(3): datagrams of lines `NAME=VALUE` to the socket that the environment
/// variable `NOTIFY_SOCKET` names. It is part of systemd's promise of stable interfaces.
struct ServiceManager: Sendable {
  /// What a process says of itself.
  enum Message: Hashable, Sendable {
    /// The service has started.
    case ready
    /// The service is ending.
    case stopping
    /// The service is alive: if nothing is said for the time that the unit allows, systemd ends it.
    case alive
    /// One line for people, which `systemctl status` shows.
    case status(String)

    var line: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      case .status(let text): "STATUS=\(text)"
      }
    }
  }

  /// The one that started this process; `nil` if none waits to be told anything.
  static let own = ServiceManager()

  /// The socket's path; it begins with `@` if the name is not in the file system (Linux's abstract names).
  private let socketPath: String
  /// How long the process may be silent, if the unit has a watchdog (`WatchdogSec=`).
  let watchdogTimeout: Duration?

  /// - Returns: `nil` if no service manager waits to be told anything.
  init?(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    process: pid_t = getpid()
  ) {
    // systemd's other kind of address, of a virtual machine's host, is for its own use.
    guard let path = environment["NOTIFY_SOCKET"], path.first == "/" || path.first == "@" else {
      return nil
    }
    socketPath = path
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdogTimeout = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// Sends messages to the service manager, without waiting. A message that is lost is no error.
  func tell(_ messages: Message...) {
    guard let (place, size) = Self.address(socketPath) else { return }
    var address = place
    let descriptor = socket(AF_UNIX, Self.datagrams, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = messages.map(\.line).joined(separator: "\n")
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(descriptor, text, text.utf8.count, Int32(MSG_DONTWAIT), address, size)
      }
    }
  }

  /// The address of a socket, and how many of its bytes count; `nil` if the path is too long for one.
  static func address(_ path: String) -> (sockaddr_un, socklen_t)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    // An abstract name begins with a zero byte, and its bytes are counted; a path ends with one.
    if name.first == UInt8(ascii: "@") { name[0] = 0 } else { name.append(0) }
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard name.count <= room.count else { return false }
      room.copyBytes(from: name)
      return true
    }
    guard fits, let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) else { return nil }
    return (address, socklen_t(offset + name.count))
  }

  #if os(Linux)
    private static let datagrams = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
  #else
    private static let datagrams = SOCK_DGRAM
  #endif
}
