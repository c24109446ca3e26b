import SkyNetCluster
import SkyNetTestKit

extension ClusterActorSystem {
  /// An actor system for a test without a network.
  convenience init(name: String, slots: Int, timeout: Duration, registry: ScanRegistry) {
    self.init(
      name: name, slots: slots, timeout: timeout, registry: registry,
      executor: SerialQueueExecutor())
  }
}
