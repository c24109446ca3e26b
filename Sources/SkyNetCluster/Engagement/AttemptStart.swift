import SkyNetCore
import Synchronization

/// When an attempt's scan started, for the one task that asks, then or later.
///
/// Not a ``OneShot``: each attempt has one, and hardly any is asked.
final class AttemptStart: Sendable {
  struct Start: Sendable {
    let at: Instant
    /// How long the scan may run by its own kind.
    let limit: Duration?
  }

  private struct State {
    var start: Start?
    var limit: Duration?
    var isOver = false
    var waiter: CheckedContinuation<Start?, Never>?
  }

  private let clock: any ClusterClock
  private let state = Mutex(State())

  init(clock: any ClusterClock) {
    self.clock = clock
  }

  /// What its scan may take, if anything limits it. To be said before it starts.
  func limit(to limit: Duration) { state.withLock { $0.limit = limit } }

  /// - Parameter ran: how long the scan runs already, as an earlier attempt has begun it.
  func started(ran: Duration) { tell(clock.now.advanced(by: .zero - ran)) }

  /// The attempt ended, perhaps without a start.
  func ended() { tell(nil) }

  private func tell(_ instant: Instant?) {
    let (waiter, start) = state.withLock { state -> (CheckedContinuation<Start?, Never>?, Start?) in
      guard !state.isOver else { return (nil, nil) }
      state.start = instant.map { Start(at: $0, limit: state.limit) }
      state.isOver = true
      defer { state.waiter = nil }
      return (state.waiter, state.start)
    }
    waiter?.resume(returning: start)
  }

  /// Waits for the start; `nil` if there was none, or the waiting task is cancelled. To be asked
  /// once.
  func start() async -> Start? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Start?? in
          if !state.isOver, !Task.isCancelled {
            state.waiter = continuation
            return nil
          }
          return .some(state.start)
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
