import Synchronization

/// Those who have connected, and not shown yet that they are members: so many, and no more.
///
/// When one comes too many the oldest goes. Members show who they are within a round trip or two,
/// so that in a flood they get by, and who only holds a connection does not.
final class Doorkeeper: Sendable {
  typealias Ticket = UInt64

  private struct State {
    var strangers: [Ticket: @Sendable () -> Void] = [:]
    var last: Ticket = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { state.withLock { $0.strangers.count } }

  /// Somebody came.
  ///
  /// - Parameter turnAway: called at most once, if there is no more room for it.
  func enter(turnAway: @escaping @Sendable () -> Void) -> Ticket {
    let (ticket, oldest) = state.withLock { state in
      var oldest: (@Sendable () -> Void)?
      // Tickets are handed out in order.
      if state.strangers.count >= limit, let first = state.strangers.keys.min() {
        oldest = state.strangers.removeValue(forKey: first)
      }
      state.last += 1
      state.strangers[state.last] = turnAway
      return (state.last, oldest)
    }
    oldest?()
    return ticket
  }

  /// It has shown who it is, or is gone.
  func leave(_ ticket: Ticket) {
    state.withLock { $0.strangers[ticket] = nil }
  }
}
