import NIOCore
import NIOPosix
import SkyNetCluster
import SkyNetCore
import Synchronization

/// Joins the connections that bring the same ticket to a listener.
final class RelayDesk: Relay {
  /// How many tickets are expected at a time.
  private static let limit = 1024
  /// How long a ticket is expected, and the first of its connections waits for the second.
  private static let patience = TimeAmount.seconds(30)

  private enum Place {
    /// No connection has come yet.
    case free
    /// One has come, and waits for the other.
    case taken(RelayEnd.Port)
  }

  private let places = Mutex<[RelayTicket: Place]>([:])

  func expect(_ ticket: RelayTicket) throws {
    let loop = try EventLoops.ofPeers()
    try places.withLock { places in
      guard places.count < Self.limit else {
        throw TransportError(
          .cannotAccept, "\(places.count) connections wait to be relayed, and no more can")
      }
      places[ticket] = .free
    }
    loop.scheduleTask(in: Self.patience) { self.forget(ticket) }
  }

  func withdraw(_ ticket: RelayTicket) { forget(ticket) }

  private func forget(_ ticket: RelayTicket) {
    let place = places.withLock { $0.removeValue(forKey: ticket) }
    if case .taken(let port) = place { port.close() }
  }

  /// Whether a connection with this ticket is expected.
  func expects(_ ticket: RelayTicket) -> Bool { places.withLock { $0[ticket] != nil } }

  /// A connection has brought a ticket: joins it with the other one, if that has come.
  ///
  /// - Returns: whether the ticket was expected.
  func enter(_ port: RelayEnd.Port, with ticket: RelayTicket) -> Bool {
    let former = places.withLock { places in
      defer {
        switch places[ticket] {
        case .free?: places[ticket] = .taken(port)
        case .taken?, nil: places[ticket] = nil
        }
      }
      return places[ticket]
    }
    guard case .taken(let other) = former else { return former != nil }
    port.begin(with: other)
    other.begin(with: port)
    return true
  }
}
