import SkyNetCore
import Synchronization

/// When an attempt's scan started, for the one who wants to know, then or later.
///
/// Not a ``OneShot``: each attempt has one, and hardly any is asked.
final class AttemptStart: Sendable {
  private struct State {
    var instant: Instant?
    var isOver = false
    var waiter: CheckedContinuation<Instant?, Never>?
  }

  private let clock: any ClusterClock
  private let state = Mutex(State())

  init(clock: any ClusterClock) {
    self.clock = clock
  }

  func started() { tell(clock.now) }

  /// The attempt ended, perhaps without a start.
  func ended() { tell(nil) }

  private func tell(_ instant: Instant?) {
    let waiter = state.withLock { state -> CheckedContinuation<Instant?, Never>? in
      guard !state.isOver else { return nil }
      state.instant = instant
      state.isOver = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: instant)
  }

  /// Waits for the start; `nil` if there was none, or the waiting task is cancelled. To be asked
  /// once.
  func instant() async -> Instant? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Instant?? in
          if !state.isOver, !Task.isCancelled {
            state.waiter = continuation
            return nil
          }
          return .some(state.instant)
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: nil)
    }
  }
}
