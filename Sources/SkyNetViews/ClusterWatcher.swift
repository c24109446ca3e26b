import Foundation
package import SkyNetCluster
import SkyNetCore
import Synchronization

/// Keeps a view of a cluster current: it follows the changes of the connected systems, and polls these.
package final class ClusterWatcher: Sendable {
  /// How long a poll waits for answers, at most.
  private static let patience = Duration.seconds(1)

  private let cluster: Cluster
  private let interval: Duration
  private let state: Mutex<ClusterView>

  /// - Parameter interval: the time from one poll to the next.
  package init(_ cluster: Cluster, every interval: Duration = .seconds(1)) {
    self.cluster = cluster
    self.interval = interval
    state = Mutex(ClusterView(ownFingerprint: cluster.ownFingerprint, at: Self.now))
  }

  /// What is known of the cluster now.
  package var view: ClusterView { state.withLock { $0 } }

  /// Follows the cluster until cancelled.
  ///
  /// - Parameter onPoll: called after each poll.
  package func run(onPoll: @escaping @Sendable (ClusterView) -> Void = { _ in }) async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await change in await self.cluster.systems.changes() {
          self.state.withLock { $0.apply(change, at: Self.now) }
        }
      }
      let clock = ContinuousClock()
      while !Task.isCancelled {
        let next = clock.now + interval
        await poll()
        guard !Task.isCancelled else { break }
        onPoll(view)
        try? await clock.sleep(until: next)
      }
      group.cancelAll()
    }
  }

  /// Asks all systems once.
  package func poll() async {
    let statuses = await cluster.statuses(
      of: cluster.connectedSystems, within: Self.patience)
    let foreignNodes = await cluster.foreignNodes
    state.withLock { view in
      view.sees(foreignNodes, ownFingerprint: cluster.ownFingerprint, at: Self.now)
      view.polled(statuses, at: Self.now)
    }
  }

  /// Adds a notice, such as a warning of the log.
  package func note(_ text: String, isFault: Bool) {
    state.withLock { $0.note(text, isFault: isFault, at: Self.now) }
  }

  private static var now: Double { Date.now.timeIntervalSince1970 }
}
