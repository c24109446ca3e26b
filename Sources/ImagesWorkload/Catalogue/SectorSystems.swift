import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import Synchronization

/// Remembers which system scanned which sector, and whether a remote one was there.
final class SectorSystems: RunObserver {
  private let systems = Mutex<[Int: String]>([:])
  private let met = Atomic(false)

  func hear(_ update: EngagementUpdate) {
    switch update.event {
    case .completed(let result), .restored(let result):
      systems.withLock { $0[result.sector] = result.system }
    case .connected: met.store(true, ordering: .relaxed)
    default: break
    }
  }

  /// Whether a remote system has joined the run.
  var haveMet: Bool { met.load(ordering: .relaxed) }

  var bySector: [Int: String] { systems.withLock { $0 } }
}
