import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import Synchronization

/// Remembers which system scanned which sector.
final class SectorSystems: RunObserver {
  private let systems = Mutex<[Int: String]>([:])

  func hear(_ update: EngagementUpdate) {
    switch update.event {
    case .completed(let result), .restored(let result):
      systems.withLock { $0[result.sector] = result.system }
    default: break
    }
  }

  var bySector: [Int: String] { systems.withLock { $0 } }
}
