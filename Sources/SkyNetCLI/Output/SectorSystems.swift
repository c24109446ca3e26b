import SkyNetCluster
import SkyNetCore
import Synchronization

/// Remembers which system scanned which sector.
final class SectorSystems: Sendable {
  private let systems = Mutex<[Int: String]>([:])

  func add(_ event: EngagementEvent) {
    switch event {
    case .completed(let result), .restored(let result):
      systems.withLock { $0[result.sector] = result.system }
    default: break
    }
  }

  var bySector: [Int: String] { systems.withLock { $0 } }
}
