import ServiceLifecycle
import ServiceLifecycleTestKit
import SkyNetCluster
import SkyNetTestKit

/// A node in a test, with the faults that a test can cause.
final class TestNode: Sendable {
  let host: String
  let node: Node
  private let network: InMemoryNetwork
  private let ready: Watched<Bool>
  private let shutdown = Watched<GracefulShutdownTestTrigger?>(nil)
  private let running = Watched<Task<Void, Never>?>(nil)
  private let result = Watched<Result<Void, any Error>?>(nil)

  /// - Parameter ready: becomes `true` when the node listens.
  init(host: String, node: Node, network: InMemoryNetwork, ready: Watched<Bool> = Watched(false)) {
    self.host = host
    self.node = node
    self.network = network
    self.ready = ready
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

  /// Waits until the node listens.
  func listens() async throws { try await ready.wait { $0 } }

  /// Ends the node as if its process were killed.
  func crash() {
    network.crash(host)
    running.value?.cancel()
  }

  func cut() { network.cut(host) }

  func heal() { network.heal(host) }

  /// Begins a graceful shutdown of the node.
  func beginShutdown() async throws {
    try await shutdown.take { $0 }.triggerGracefulShutdown()
  }

  var isRunning: Bool { result.value == nil }

  /// Waits until the node has stopped, and throws the error that ended it, if any.
  func ended() async throws {
    try await result.take { $0 }.get()
  }

  /// Stops the node at once, and waits until it has stopped.
  func end() async {
    running.value?.cancel()
    await running.value?.value
  }
}
