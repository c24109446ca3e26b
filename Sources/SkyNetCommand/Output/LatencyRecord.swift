import SkyNetCluster
import SkyNetCore
import Synchronization

/// Measures the time from each sector's last hand-out to its result.
final class LatencyRecord: RunObserver {
  private struct State {
    var handedOut: [Int: Instant] = [:]
    var microseconds: [Float] = []
  }

  private let clock: any ClusterClock
  private let state = Mutex(State())

  init(clock: any ClusterClock) {
    self.clock = clock
  }

  func hear(_ update: EngagementUpdate) { add(update.event) }

  func add(_ event: EngagementEvent) {
    let now = clock.now
    state.withLock { state in
      switch event {
      case .handedOut(let handout): state.handedOut[handout.task.sector] = now
      case .completed(let result):
        guard let begin = state.handedOut.removeValue(forKey: result.sector) else { return }
        state.microseconds.append(Float(begin.duration(to: now).inSeconds * 1e6))
      case .failed(let failure): state.handedOut[failure.sector] = nil
      default: break
      }
    }
  }

  /// `latency: p50 61.2 µs, p99 140.3 µs`; `nil` if nothing was scanned.
  var text: String? {
    let sorted = state.withLock { $0.microseconds }.sorted()
    guard !sorted.isEmpty else { return nil }
    let percentiles = [50, 99].map { percent in
      let tenths = (sorted[(sorted.count - 1) * percent / 100] * 10).rounded()
      return "p\(percent) \(tenths / 10) µs"
    }
    return "latency: " + percentiles.joined(separator: ", ")
  }
}
