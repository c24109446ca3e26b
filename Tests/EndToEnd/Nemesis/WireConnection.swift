import Foundation

/// A connection through a ``FaultyWire``: the client's socket, the node's socket, and the data on
/// its way between them.
final class WireConnection {
  /// One direction of the connection.
  private struct Direction {
    let source: Int32
    let sink: Int32
    var pieces: [(due: ContinuousClock.Instant, bytes: Data)] = []
    var hasEnded = false
    var isShut = false
    /// Whether a byte of the next piece will be changed.
    var isToChange = false

    /// Whether the source has to wait, as for any slow reader.
    var isFull: Bool { pieces.reduce(0) { $0 + $1.bytes.count } > 1 << 20 }
  }

  private let ends: [Int32]
  private var toNode: Direction
  private var toClient: Direction
  private(set) var isClosed = false
  private let begin = ContinuousClock.now
  /// Whether the connection breaks in the middle of the next piece.
  var isDoomed = false

  init(client: Int32, node: Int32) {
    ends = [client, node]
    toNode = Direction(source: client, sink: node)
    toClient = Direction(source: node, sink: client)
  }

  var age: Duration { begin.duration(to: .now) }

  /// The sockets to read from.
  var awaited: [Int32] {
    [toNode, toClient].filter { !$0.hasEnded && !$0.isFull }.map(\.source)
  }

  func changeByte(_ way: FaultyWire.Way) {
    switch way {
    case .toNode: toNode.isToChange = true
    case .toClient: toClient.isToChange = true
    }
  }

  /// Reads from the sockets that are ready.
  func read(_ ready: Set<Int32>, delay: Duration) {
    let due = ContinuousClock.now + delay
    if ready.contains(toNode.source) { read(&toNode, due) }
    if !isClosed, ready.contains(toClient.source) { read(&toClient, due) }
  }

  private func read(_ direction: inout Direction, _ due: ContinuousClock.Instant) {
    guard !direction.hasEnded else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(direction.source, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      if direction.isToChange { buffer[count / 2] ^= 1 }
      direction.isToChange = false
      direction.pieces.append((due, Data(buffer.prefix(count))))
    } else if count == 0 {
      direction.hasEnded = true
    } else if errno != EAGAIN {
      closeAbruptly()
    }
  }

  /// Sends the data that is due.
  func pass(_ condition: FaultyWire.Condition) {
    guard !isClosed, condition != .stalled else { return }
    pass(&toNode)
    if condition != .mute, !isClosed { pass(&toClient) }
    if toNode.isShut, toClient.isShut, !isClosed { closeBoth() }
  }

  private func pass(_ direction: inout Direction) {
    while let piece = direction.pieces.first, piece.due <= .now {
      let bytes = isDoomed ? piece.bytes.prefix((piece.bytes.count + 1) / 2) : piece.bytes
      let flags = noSignal | Int32(MSG_DONTWAIT)
      let count = bytes.withUnsafeBytes { send(direction.sink, $0.baseAddress, $0.count, flags) }
      // The socket may not be connected yet; if it never will be, reading shows that.
      if count < 0 { return }
      if isDoomed { return closeAbruptly() }
      if count < piece.bytes.count {
        direction.pieces[0].bytes = Data(piece.bytes.dropFirst(count))
      } else {
        direction.pieces.removeFirst()
      }
    }
    if direction.hasEnded, direction.pieces.isEmpty, !direction.isShut {
      direction.isShut = true
      shutdown(direction.sink, Int32(SHUT_WR))
    }
  }

  /// Closes both sockets so that both ends see a reset connection.
  func closeAbruptly() {
    guard !isClosed else { return }
    var abruptly = linger(l_onoff: 1, l_linger: 0)
    for descriptor in ends {
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &abruptly, socklen_t(MemoryLayout<linger>.size))
    }
    closeBoth()
  }

  private func closeBoth() {
    isClosed = true
    for descriptor in ends { close(descriptor) }
  }
}
