import SkyNetCommand
import Synchronization

/// Wakes one task that waits. A ring that nobody waits for is kept for the next wait.
final class Bell: Sendable {
  private struct State {
    var hasRung = false
    var waiting: CheckedContinuation<Void, any Error>?
  }

  private let state = Mutex(State())

  func ring() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.hasRung = state.waiting == nil
      return state.waiting
    }
    waiting?.resume()
  }

  /// Waits for a ring. One task at a time may wait.
  ///
  /// - Throws: `CancellationError`, at once, if the caller is cancelled.
  func wait() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.hasRung {
            state.hasRung = false
            return .success(())
          }
          state.waiting = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(throwing: CancellationError())
    }
  }
}
