import CSQLite
import Foundation
import Synchronization

/// How long the statements of a connection wait for a lock that another connection has, maybe of another program: each
/// up to a limit. Once one has waited in vain, no later one waits.
package final class LockWait: Sendable {
  private struct State {
    var began = ContinuousClock.now
    var isTold = false
    var isOver = false
  }

  private let limit: Duration
  private let tell: @Sendable () -> Void
  private let state = Mutex(State())

  /// How long a wait is not worth a word.
  private static let brief = Duration.seconds(1)

  /// - Parameters:
  ///   - limit: how long a statement waits.
  ///   - tell: called once in each wait that takes longer than a second.
  package init(limit: Duration, tell: @escaping @Sendable () -> Void) {
    (self.limit, self.tell) = (limit, tell)
  }

  /// - Parameter connection: a connection that ends before this object does, or calls it no more.
  func apply(to connection: OpaquePointer?) throws {
    let code = sqlite3_busy_handler(
      connection,
      { object, count in
        guard let object else { return 0 }
        let wait = Unmanaged<LockWait>.fromOpaque(object).takeUnretainedValue()
        return wait.goesOn(isFirst: count == 0) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try DatabaseError.check(code, of: connection)
  }

  /// Whether a statement asks for its lock again, after a pause.
  private func goesOn(isFirst: Bool) -> Bool {
    let (waited, isNews) = state.withLock { state in
      if isFirst { (state.began, state.isTold) = (.now, false) }
      let waited = state.began.duration(to: .now)
      if waited >= limit { state.isOver = true }
      let isNews = waited >= Self.brief && !state.isTold
      if isNews { state.isTold = true }
      return (state.isOver ? nil : waited, isNews)
    }
    guard let waited else { return false }
    if isNews { tell() }
    // A lock that is held for a moment costs little, and one that is held for long few looks.
    usleep(waited < .milliseconds(50) ? 1000 : 20_000)
    return true
  }
}
