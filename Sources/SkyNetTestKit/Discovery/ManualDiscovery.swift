public import SkyNetCluster
public import SkyNetCore
import Synchronization

/// A discovery that sees what a test says.
///
/// Whoever watches is first told of what is there by then, and then of every change.
public final class ManualDiscovery: Discovery {
  private struct State {
    var sightings: [Sighting] = []
    var watchers: [Int: AsyncStream<DiscoveryEvent>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// A peer appeared, or what is known of it changed.
  public func found(_ sighting: Sighting) {
    tell(.found(sighting)) { sightings in
      sightings.removeAll { $0.name == sighting.name }
      sightings.append(sighting)
    }
  }

  /// A peer appeared at one place.
  public func found(_ name: String, at endpoint: Endpoint, incarnation: Incarnation? = nil) {
    found(Sighting(name: name, endpoints: [endpoint], incarnation: incarnation))
  }

  /// The peer of that name is no longer seen.
  public func lost(_ name: String) {
    tell(.lost(name: name)) { $0.removeAll { $0.name == name } }
  }

  /// Nothing can be found just now.
  public func unavailable(reason: String) {
    tell(.unavailable(reason: reason)) { _ in }
  }

  /// Peers can be found again.
  public func available() {
    tell(.available) { _ in }
  }

  public func events() -> AsyncStream<DiscoveryEvent> {
    let (stream, watcher) = AsyncStream.makeStream(of: DiscoveryEvent.self)
    let id = state.withLock { state in
      for sighting in state.sightings { watcher.yield(.found(sighting)) }
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = watcher
      return state.nextWatcher
    }
    watcher.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
    }
    return stream
  }

  private func tell(_ event: DiscoveryEvent, _ change: (inout [Sighting]) -> Void) {
    state.withLock { state in
      change(&state.sightings)
      // Under the lock, so that all watchers are told in one order.
      for watcher in state.watchers.values { watcher.yield(event) }
    }
  }
}
