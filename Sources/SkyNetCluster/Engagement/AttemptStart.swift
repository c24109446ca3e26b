import SkyNetCore
import Synchronization

/// When an attempt's scan started. One task may ask for it, before or after the start.
///
/// It does the work of a ``OneShot`` at a lower cost: each attempt has an `AttemptStart`, and hardly any of
/// them is ever asked.
final class AttemptStart: Sendable {
  struct Start: Sendable {
    let at: Instant
    /// How long the kind of scan lets it run; see `ScanTask.timeLimit`.
    let limit: Duration?
  }

  private struct State {
    var start: Start?
    var limit: Duration?
    var isComplete = false
    var waiter: CheckedContinuation<Start?, Never>?
  }

  private let clock: any ClusterClock
  private let state = Mutex(State())

  init(clock: any ClusterClock) {
    self.clock = clock
  }

  /// Sets how long the kind of scan lets it run. A call after the scan's start has no effect.
  func setLimit(_ limit: Duration) { state.withLock { $0.limit = limit } }

  /// The scan has started.
  ///
  /// - Parameter ran: how long the scan has run already, if an earlier attempt began it.
  func started(ran: Duration) { complete(clock.now.advanced(by: .zero - ran)) }

  /// The attempt has ended, with or without a start.
  func ended() { complete(nil) }

  private func complete(_ instant: Instant?) {
    let (waiter, start) = state.withLock { state -> (CheckedContinuation<Start?, Never>?, Start?) in
      guard !state.isComplete else { return (nil, nil) }
      state.start = instant.map { Start(at: $0, limit: state.limit) }
      state.isComplete = true
      defer { state.waiter = nil }
      return (state.waiter, state.start)
    }
    waiter?.resume(returning: start)
  }

  /// Waits for the start. Returns `nil` if the attempt ended without one, or if the waiting task is
  /// cancelled. May be called once.
  func value() async -> Start? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Start?? in
          if !state.isComplete, !Task.isCancelled {
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
