import Foundation
import Synchronization
import Testing

/// A DNS server on a loopback address, whose answers a test changes. Programs that are to ask it run in a mount
/// namespace with a `/etc/resolv.conf` of their own.
final class NameServer: Sendable {
  static let impossible: Comment = "needs root, unshare, and port 53 of an address 127.53.0.…"
  /// Not 127.0.0.1, where a machine may have a name server of its own. Each server has another address: a process
  /// that is being started, by any test, holds a closed socket's address until it runs its program.
  private static let addresses = (1...254).map { "127.53.0.\($0)" }

  enum Record: Hashable, Sendable {
    case a(String)
    /// A target's host name and port.
    case srv(String, Int)

    var type: UInt16 {
      switch self {
      case .a: 1
      case .srv: 33
      }
    }

    var data: [UInt8] {
      switch self {
      case .a(let address): address.split(separator: ".").compactMap { UInt8($0) }
      case .srv(let target, let port):
        [0, 10, 0, 5, UInt8(port >> 8), UInt8(port & 0xFF)] + NameServer.bytes(of: target)
      }
    }
  }

  private let records = Mutex<[String: [Record]]>([:])
  private let descriptor: Int32
  private let address: String

  static var isPossible: Bool { get async { await trial.value } }
  private static let trial = Task {
    guard geteuid() == 0, let server = try? NameServer() else { return false }
    defer { server.stop() }
    return
      (try? await Stage.with { stage in
        let status = try await server.launch("/bin/true", [], stage).end().status
        guard status == 0 else { throw Unexpected("\(status ?? -1)") }
      }) != nil
  }

  init() throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_DGRAM, 0)
    #endif
    let descriptor = descriptor
    guard descriptor >= 0 else { throw systemError("socket") }
    let free = try Self.addresses.first { address in
      try withAddress(address, port: 53) { bind(descriptor, $0, $1) == 0 }
    }
    guard let free else {
      let error = systemError("bind")
      close(descriptor)
      throw error
    }
    address = free
    Thread.detachNewThread { [self] in serve() }
  }

  /// Ends the server.
  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Queries that have this label get no answer.
  static let silent = "silent"

  /// Sets all records of a name, or removes the name.
  func set(_ name: String, _ records: [Record]?) {
    self.records.withLock { $0[name] = records }
  }

  /// Starts a program that asks this server, with this search list.
  func launch(
    _ program: String, _ arguments: [String], _ stage: Stage, search: String = "cluster.test"
  ) throws -> RunningProcess {
    let file = stage.file("resolv.conf")
    try "nameserver \(address)\nsearch \(search)\noptions ndots:5 timeout:1 attempts:1\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let setUp = "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\""
    return try stage.launch(
      "/bin/sh",
      ["-c", "exec unshare -m sh -c '\(setUp)' \"$@\"", "sh", file, program] + arguments)
  }

  // MARK: Messages

  fileprivate static func bytes(of name: String) -> [UInt8] {
    name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  private func serve() {
    var query = [UInt8](repeating: 0, count: 512)
    var sender = sockaddr_storage()
    while true {
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutableBytes(of: &sender) { address in
        recvfrom(
          descriptor, &query, query.count, 0,
          address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
      }
      guard count > 0 else { break }
      guard let answer = answer(to: Array(query.prefix(count))) else { continue }
      _ = withUnsafeBytes(of: &sender) { address in
        sendto(
          descriptor, answer, answer.count, 0,
          address.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
      }
    }
    close(descriptor)
  }

  private func answer(to query: [UInt8]) -> [UInt8]? {
    var (labels, place) = ([String](), 12)
    while place < query.count, query[place] > 0 {
      let end = place + 1 + Int(query[place])
      guard end < query.count else { return nil }
      labels.append(String(decoding: query[(place + 1)..<end], as: UTF8.self))
      place = end
    }
    guard place + 5 <= query.count, !labels.contains(Self.silent) else { return nil }
    let type = UInt16(query[place + 1]) << 8 | UInt16(query[place + 2])
    let known = records.withLock { $0[labels.joined(separator: ".").lowercased()] }
    let answers = (known ?? []).filter { $0.type == type }
    let code: UInt8 = known == nil ? 3 : 0
    let head: [UInt8] = [0x85, 0x80 | code, 0, 1, 0, UInt8(answers.count), 0, 0, 0, 0]
    var answer = Array(query[0..<2])
    answer += head
    answer += query[12..<(place + 5)]
    for record in answers {
      let length = UInt8(record.data.count)
      // The question's name, the internet's class, a life of one second.
      answer += [0xC0, 12, 0, UInt8(record.type), 0, 1, 0, 0, 0, 1, 0, length]
      answer += record.data
    }
    return answer
  }
}
