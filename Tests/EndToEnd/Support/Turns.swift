import Foundation
import Synchronization

/// Lets so many tests run at a time. Each of them starts processes: all at once, they would wait for a processor
/// longer than a handshake may take.
///
/// The last that came is the next: a suite whose tests run one after another ends in one go, and not after all others.
final class Turns: Sendable {
  static let processes = Turns(3 * ProcessInfo.processInfo.activeProcessorCount)

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  private init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  func take() async {
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

  func pass() {
    let next = state.withLock { state in
      if state.waiting.isEmpty { state.free += 1 }
      return state.waiting.popLast()
    }
    next?.resume()
  }
}
