import Synchronization

/// Bounds the number of a listener's connections whose peers have not authenticated themselves yet.
///
/// When there is one too many, the oldest is evicted. Members authenticate themselves within a round trip or
/// two, so that they get in during a flood, and connections that are only held open are evicted.
final class UnauthenticatedLimiter: Sendable {
  typealias ID = UInt64

  private struct State {
    /// How to evict each connection.
    var evictions: [ID: @Sendable () -> Void] = [:]
    var last: ID = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts a new connection, and evicts the oldest if there are too many.
  ///
  /// - Parameter evict: called at most once, when a later connection takes this one's place.
  func add(evict: @escaping @Sendable () -> Void) -> ID {
    let (id, evictOldest) = state.withLock { state in
      var oldest: (@Sendable () -> Void)?
      // IDs ascend, so the lowest is the oldest connection's.
      if state.evictions.count >= limit, let first = state.evictions.keys.min() {
        oldest = state.evictions.removeValue(forKey: first)
      }
      state.last += 1
      state.evictions[state.last] = evict
      return (state.last, oldest)
    }
    evictOldest?()
    return id
  }

  /// Counts a connection no longer: its peer has authenticated itself, or the connection has ended.
  func remove(_ id: ID) {
    state.withLock { $0.evictions[id] = nil }
  }
}
