public import SkyNetCluster
public import SkyNetCore
import Synchronization

/// A discovery whose peers a test decides.
///
/// Each stream first yields the peers that are there, and then every change.
public final class ManualDiscovery: Discovery {
  private struct State {
    var peers: [DiscoveredPeer] = []
    var watchers: [AsyncStream<DiscoveryEvent>.Continuation] = []
  }

  private let state = Mutex(State())
  /// The names of the peers that the program did not reach, and asked for again, in order.
  public let lookedAgainFor = Watched<[String]>([])

  /// Makes a discovery without peers.
  public init() {}

  /// Reports that a peer has appeared, or that its properties have changed.
  public func found(_ peer: DiscoveredPeer) {
    report(.found(peer)) { peers in
      peers.removeAll { $0.name == peer.name }
      peers.append(peer)
    }
  }

  /// Reports that a peer has appeared at one endpoint.
  public func found(_ name: String, at endpoint: Endpoint, incarnation: Incarnation? = nil) {
    found(DiscoveredPeer(name: name, endpoints: [endpoint], incarnation: incarnation))
  }

  /// Reports that the peer of that name is no longer there.
  public func lost(_ name: String) {
    report(.lost(name: name)) { $0.removeAll { $0.name == name } }
  }

  /// Reports that no peer can be found at present.
  public func unavailable(reason: String) {
    report(.unavailable(reason: reason)) { _ in }
  }

  /// Reports that peers can be found, for the first time or again.
  public func available() {
    report(.available) { _ in }
  }

  /// Yields the peers that are there, and then every change. Each call has its own stream.
  public func events() -> AsyncStream<DiscoveryEvent> {
    let (stream, watcher) = AsyncStream.makeStream(of: DiscoveryEvent.self)
    state.withLock { state in
      for peer in state.peers { watcher.yield(.found(peer)) }
      state.watchers.append(watcher)
    }
    return stream
  }

  public func lookAgain(for name: String) {
    lookedAgainFor.update { $0.append(name) }
  }

  private func report(_ event: DiscoveryEvent, _ change: (inout [DiscoveredPeer]) -> Void) {
    state.withLock { state in
      change(&state.peers)
      // Under the lock, so that all streams yield events in the same order. A watcher that has ended is
      // forgotten here and not by its end, which may come under the lock that a yield waits for.
      state.watchers.removeAll { watcher in
        if case .terminated = watcher.yield(event) { true } else { false }
      }
    }
  }
}
