import Foundation

/// The thread of a ``FaultyWire``: accepts connections, and forwards data in both directions.
final class WireLoop {
  /// How soon the loop notices a change of the wire's condition, in milliseconds.
  private static let turn: Int32 = 5

  private let listener: Int32
  private var connections: [WireConnection] = []
  private var breaks = 0
  private var changes = 0

  init(listener: Int32) {
    self.listener = listener
  }

  /// Runs until the wire is stopped.
  func run(_ state: () -> FaultyWire.State) {
    while case let now = state(), !now.isOver {
      takeWhatComes(now)
      if now.breaks > breaks {
        breaks = now.breaks
        for connection in connections { connection.isDoomed = true }
      }
      for way in now.changes[changes...] {
        for connection in connections { connection.changeByte(way) }
      }
      changes = now.changes.count
      for connection in connections {
        if case .shortLived(let life) = now.condition, connection.age >= life {
          connection.closeAbruptly()
        }
        connection.pass(now.condition)
      }
      connections.removeAll { $0.isClosed }
    }
    for connection in connections { connection.closeAbruptly() }
    close(listener)
  }

  private func takeWhatComes(_ state: FaultyWire.State) {
    var descriptors = ([listener] + connections.flatMap(\.awaited))
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&descriptors, nfds_t(descriptors.count), Self.turn) > 0 else { return }
    let ready = Set(descriptors.filter { $0.revents != 0 }.map(\.fd))
    for connection in connections { connection.read(ready, delay: state.condition.delay) }
    if ready.contains(listener) { accept(for: state.target) }
  }

  private func accept(for target: (host: String, port: Int)) {
    let client = Foundation.accept(listener, nil, nil)
    guard client >= 0 else { return }
    guard let node = try? makeSocket() else {
      close(client)
      return
    }
    _ = fcntl(node, F_SETFL, O_NONBLOCK)
    // The first read shows whether it succeeded.
    try? withAddress(target.host, port: target.port) { _ = connect(node, $0, $1) }
    connections.append(WireConnection(client: client, node: node))
  }
}

extension FaultyWire.Condition {
  fileprivate var delay: Duration {
    if case .slow(let delay) = self { delay } else { .zero }
  }
}
