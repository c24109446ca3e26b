import ServiceLifecycle
import ServiceLifecycleTestKit
import SkyNetCluster
import SkyNetTestKit

/// A node in a test, and what may befall it.
final class TestNode: Sendable {
  let host: String
  let node: Node
  private let network: InMemoryNetwork
  private let shutdown = Watched<GracefulShutdownTestTrigger?>(nil)
  private let running = Watched<Task<Void, Never>?>(nil)
  private let result = Watched<Result<Void, any Error>?>(nil)

  init(host: String, node: Node, network: InMemoryNetwork) {
    self.host = host
    self.node = node
    self.network = network
  }

  func start() {
    let task = Task { [node, shutdown, result] in
      do {
        try await testGracefulShutdown { trigger in
          shutdown.update { $0 = trigger }
          try await node.run()
        }
        result.update { $0 = .success(()) }
      } catch {
        result.update { $0 = .failure(error) }
      }
    }
    running.update { $0 = task }
  }

  /// Its process is killed.
  func crash() {
    network.crash(host)
    running.value?.cancel()
  }

  func cut() { network.cut(host) }

  func heal() { network.heal(host) }

  /// It is told to stop, and begins to drain.
  func beginShutdown() async throws {
    try await shutdown.take { $0 }.triggerGracefulShutdown()
  }

  /// Returns when it has stopped, or throws why it could not run.
  func ended() async throws {
    try await result.take { $0 }.get()
  }

  /// Stops it, whatever it does, and returns when it has.
  func end() async {
    running.value?.cancel()
    await running.value?.value
  }
}
