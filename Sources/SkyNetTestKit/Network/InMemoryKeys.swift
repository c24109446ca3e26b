import SkyNetCluster
import Synchronization

/// The fingerprints of the keys that a host on an ``InMemoryNetwork`` holds. A test changes them.
package final class InMemoryKeys: Sendable {
  private struct State {
    var fingerprints: [String]
    var followers: [AsyncStream<Void>.Continuation] = []
  }

  private let state: Mutex<State>

  /// - Parameter fingerprints: newest first; empty without encryption.
  package init(_ fingerprints: [String]) { state = Mutex(State(fingerprints: fingerprints)) }

  package var fingerprints: [String] { state.withLock { $0.fingerprints } }

  /// Holds these keys from now on, and tells the hosts that follow them.
  package func change(to fingerprints: [String]) {
    let followers = state.withLock { state in
      state.fingerprints = fingerprints
      return state.followers
    }
    for follower in followers { follower.yield() }
  }

  /// Calls `changed` after each change, until cancelled.
  func follow(_ changed: @Sendable (KeyNews) async -> Void) async {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    state.withLock { $0.followers.append(continuation) }
    for await _ in changes {
      await changed(.changed("holds the keys \(fingerprints.joined(separator: ", ")) now"))
    }
  }
}
