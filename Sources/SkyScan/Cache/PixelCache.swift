import SkyDetection
package import SkyNetCore
import Synchronization

/// The pixels that a system keeps for the passes that follow, so that each travels to it once.
///
/// Its owner calls ``dropIdle()`` from time to time. Losing what is cached costs time
/// and nothing else: the engaging side sends it again.
package final class PixelCache: Sendable {
  private struct State {
    var patches: CachedPatches
    var hits = 0
    var misses = 0
  }

  private let state: Mutex<State>

  /// - Parameter capacity: the most bytes of pixels and weights.
  package init(capacity: Int) {
    state = Mutex(State(patches: CachedPatches(capacity: capacity)))
  }

  /// What the cache has, and how often it had what was asked for.
  package var figures: CacheFigures {
    state.withLock {
      CacheFigures(
        bytes: $0.patches.bytes, capacity: $0.patches.capacity, hits: $0.hits, misses: $0.misses)
    }
  }

  /// Frees the memory of images whose engagements have probably ended.
  ///
  /// - Returns: whether there were any.
  package func dropIdle() -> Bool {
    state.withLock { state in
      let bytes = state.patches.bytes
      state.patches.dropIdle(at: .now)
      return state.patches.bytes < bytes
    }
  }

  /// Frees all memory of the cache.
  func dropAll() { state.withLock { $0.patches.dropAll() } }

  func keep(
    _ patch: ImagePatch, of image: CachedImage, _ format: CachedFormat, isUsed: Bool
  ) {
    state.withLock { $0.patches.keep(patch, of: image, format, isUsed: isUsed, at: .now) }
  }

  /// The patch of a rectangle that a kept patch holds; `nil` if there is none.
  func patch(
    holding rectangle: PixelRectangle, of image: CachedImage, _ format: CachedFormat,
    isLast: Bool
  ) -> ImagePatch? {
    state.withLock { state in
      let patch = state.patches.patch(
        holding: rectangle, of: image, format, isLast: isLast, at: .now)
      if patch == nil { state.misses += 1 } else { state.hits += 1 }
      return patch
    }
  }
}
