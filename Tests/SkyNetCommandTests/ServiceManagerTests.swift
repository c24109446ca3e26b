import Foundation
import Testing

@testable import SkyNetCommand

/// What a process tells the service manager that started it, over real sockets.
@Suite("The service manager")
struct ServiceManagerTests {
  @Test("It gets one datagram of lines, at a path or at an abstract name", arguments: ["/", "@"])
  func tell(_ beginning: String) throws {
    let name = "\(FileManager.default.temporaryDirectory.path)/skynet-notify-\(UUID().uuidString)"
    let path = beginning == "/" ? name : "@" + name
    let socket = try NotifySocket(path)
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path]))
    #expect(manager.watchdogTimeout == nil)
    manager.tell(.ready, .status("1 of 4 slots busy"))
    #expect(socket.receive() == "READY=1\nSTATUS=1 of 4 slots busy")
    manager.tell(.alive)
    #expect(socket.receive() == "WATCHDOG=1")
  }

  @Test("Without a socket there is nobody to tell, and a vanished or overlong one does no harm")
  func nobody() {
    #expect(ServiceManager(environment: [:]) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "vsock:2:1234"]) == nil)
    for path in ["/nowhere/at/all", "/" + String(repeating: "x", count: 200)] {
      ServiceManager(environment: ["NOTIFY_SOCKET": path])?.tell(.ready)
    }
  }

  @Test("The watchdog's time is this process's, unless the variable is for another one")
  func watchdog() {
    let all = ["NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "17"]
    #expect(ServiceManager(environment: all, process: 17)?.watchdogTimeout == .seconds(30))
    #expect(ServiceManager(environment: all, process: 18)?.watchdogTimeout == nil)
  }
}

/// The service manager's end.
private struct NotifySocket: ~Copyable {
  private let path: String
  private let descriptor: CInt

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
    let (place, size) = try #require(ServiceManager.address(path))
    var address = place
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    #expect(isBound == 0)
  }

  func receive() -> String {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }
}
