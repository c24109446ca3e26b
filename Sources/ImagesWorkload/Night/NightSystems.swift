import Foundation
import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import Synchronization

/// Remembers which system scanned which sector of the images that are being scanned, and when.
final class NightSystems: RunObserver {
  /// What is known of one image.
  struct Share {
    /// The system that scanned each sector, which is numbered from the image's first.
    var bySector: [Int: String] = [:]
    /// The time from the first hand-out to the last result, in seconds; `nil` if nothing was handed out.
    var seconds: Double?
    /// How many sectors were given up.
    var failed = 0
  }

  private struct State {
    var systems: [Int: String] = [:]
    var begins: [Int: Date] = [:]
    var ends: [Int: Date] = [:]
    var failed: Set<Int> = []
    var hasBegun = false
  }

  private let state = Mutex(State())

  /// Whether the engagement has begun.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  func hear(_ update: EngagementUpdate) {
    switch update.event {
    case .began: state.withLock { $0.hasBegun = true }
    case .handedOut(let handout):
      let time = update.time
      state.withLock { state in
        if state.begins[handout.task.sector] == nil { state.begins[handout.task.sector] = time }
      }
    case .completed(let result):
      let time = update.time
      state.withLock { state in
        state.systems[result.sector] = result.system
        state.ends[result.sector] = time
      }
    case .restored(let result): state.withLock { $0.systems[result.sector] = result.system }
    case .failed(let failure): state.withLock { _ = $0.failed.insert(failure.sector) }
    case .restoredFailure(let failure): state.withLock { _ = $0.failed.insert(failure.sector) }
    default: break
    }
  }

  /// Returns what is known of an image's sectors, and forgets it.
  func take(_ sectors: Range<Int>) -> Share {
    state.withLock { state in
      var share = Share()
      var begin: Date?
      var end: Date?
      for sector in sectors {
        share.bySector[sector - sectors.lowerBound] = state.systems.removeValue(forKey: sector)
        if let time = state.begins.removeValue(forKey: sector) { begin = min(begin ?? time, time) }
        if let time = state.ends.removeValue(forKey: sector) { end = max(end ?? time, time) }
        if state.failed.remove(sector) != nil { share.failed += 1 }
      }
      if let begin, let end { share.seconds = max(0, end.timeIntervalSince(begin)) }
      return share
    }
  }
}
