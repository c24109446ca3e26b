import Foundation
package import SkyNetCluster
import SkyNetCore
import Synchronization

/// Keeps a view of one node current, in the node's own process: of its scans, of the programs that are
/// connected to it, and of their engagements.
package final class NodeWatcher: Sendable {
  private static let interval = Duration.seconds(1)

  private struct State {
    var view: ClusterView
    var clients: Set<String> = []
  }

  private let node: Node
  private let state: Mutex<State>

  package init(_ node: Node) {
    self.node = node
    state = Mutex(State(view: ClusterView(ownFingerprint: nil, at: Self.now)))
  }

  /// What is known of the node now.
  package var view: ClusterView { state.withLock { $0.view } }

  /// Looks once a second, until cancelled.
  package func run() async {
    let clock = ContinuousClock()
    while !Task.isCancelled {
      let next = clock.now + Self.interval
      await look()
      try? await clock.sleep(until: next)
    }
  }

  /// Looks once.
  package func look() async {
    guard let status = try? await node.system.status() else { return }
    let (system, clients, now) = (node.asSystem, Set(await node.clients), Self.now)
    state.withLock { state in
      if state.view.system(system.incarnation)?.name != system.name {
        // A node gets its name when it is registered.
        state.view.apply(.connected(system), at: now)
      }
      for client in clients.subtracting(state.clients).sorted() {
        state.view.note("\(client) is connected", at: now)
      }
      for client in state.clients.subtracting(clients).sorted() {
        state.view.note("\(client) has left", at: now)
      }
      state.clients = clients
      state.view.polled([system.incarnation: status], at: now)
    }
  }

  private static var now: Double { Date.now.timeIntervalSince1970 }
}
