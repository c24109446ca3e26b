import Foundation

/// An address of the loopback interface that does not answer whoever connects, as behind a firewall that drops: a
/// listener whose queue is full, and that accepts nobody.
final class Hole: Sendable {
  let port: Int
  private let descriptors: [Int32]
  /// How many connections wait for an answer from the beginning.
  private let own: Int

  init() throws {
    let (listener, port) = try makeListener(backlog: 0)
    var descriptors = [listener]
    // The kernel takes a connection or two more than it was told.
    while try Self.unanswered(port) == 0 {
      guard descriptors.count < 32 else { throw Unexpected("a listener's queue is never full") }
      let descriptor = try makeSocket()
      descriptors.append(descriptor)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      try withAddress(port: port) { _ = connect(descriptor, $0, $1) }
    }
    self.port = port
    self.descriptors = descriptors
    own = try Self.unanswered(port)
  }

  var address: String { "127.0.0.1:\(port)" }

  /// Waits until a process has begun to connect, of which there is no notification.
  func waitForVisitor() async throws {
    while try Self.unanswered(port) == own { try await Endurance.pass(.milliseconds(20)) }
  }

  func fill() { for descriptor in descriptors { close(descriptor) } }

  /// How many connections to this port have sent a SYN, and heard nothing.
  private static func unanswered(_ port: Int) throws -> Int {
    let end = String(format: ":%04X", port)
    // Foundation's functions for whole files take a file of /proc to be as long as its first page.
    let table = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/tcp"))
    let lines = try String(decoding: table.readToEnd() ?? Data(), as: UTF8.self).split(
      separator: "\n")
    return lines.count { line in
      let columns = line.split(separator: " ")
      return columns.count > 3 && columns[2].hasSuffix(end) && columns[3] == "02"
    }
  }
}
