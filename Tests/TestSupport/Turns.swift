import Foundation
import Synchronization
package import Testing

/// Lets so many tests run at a time. All at once, they would wait for a processor longer than a handshake, a
/// connection or a silent peer may take.
///
/// The last that came is the next: a suite whose tests run one after another ends in one go, and not after all others.
package final class Turns: Sendable {
  /// Of tests that start processes.
  package static let processes = Turns(3 * ProcessInfo.processInfo.activeProcessorCount)
  /// Of tests that wait for clocks and messages within this process.
  fileprivate static let waiting = Turns(8 * ProcessInfo.processInfo.activeProcessorCount)

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  private init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  package func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  package func pass() {
    let next = state.withLock { state in
      if state.waiting.isEmpty { state.free += 1 }
      return state.waiting.popLast()
    }
    next?.resume()
  }
}

/// Runs each test of a suite when its turn comes. Tests that compute for long have ``OwnThreads`` instead.
package struct InTurn: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Turns.waiting.take()
    defer { Turns.waiting.pass() }
    try await function()
  }
}

extension Trait where Self == InTurn {
  package static var inTurn: Self { Self() }
}
