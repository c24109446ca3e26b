import SkyNetCore
import Synchronization

/// What an engagement believes of the systems' caches: which of an image's patches each of them
/// keeps. A system that keeps less refuses a task, and is sent the pixels.
final class CacheHoldings: Sendable {
  private struct State {
    /// The sectors whose patches a system was given.
    var given: [Incarnation: Set<Int>] = [:]
    /// The systems that have no cache.
    var cacheless: Set<Incarnation> = []
  }

  /// The image's name at the systems.
  let image = CachedImage.random()
  private let state = Mutex(State())

  func given(_ sector: Int, to system: Incarnation) {
    _ = state.withLock { $0.given[system, default: []].insert(sector) }
  }

  /// The system keeps the sector's patch no more.
  func dropped(_ sector: Int, by system: Incarnation) {
    _ = state.withLock { $0.given[system]?.remove(sector) }
  }

  /// Whether the system may have a cache.
  func mayKeep(_ system: Incarnation) -> Bool {
    state.withLock { !$0.cacheless.contains(system) }
  }

  /// Whether the system was given the patch of one of these sectors.
  func has(oneOf sectors: some Sequence<Int>, _ system: Incarnation) -> Bool {
    state.withLock { state in
      state.given[system].map { given in sectors.contains { given.contains($0) } } ?? false
    }
  }

  func refused(_ refusal: CacheRefusal, _ sectors: some Sequence<Int>, by system: Incarnation) {
    state.withLock { state in
      switch refusal {
      case .none:
        state.cacheless.insert(system)
        state.given[system] = nil
      case .gone: state.given[system]?.subtract(sectors)
      }
    }
  }
}
