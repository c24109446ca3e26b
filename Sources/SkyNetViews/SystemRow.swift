import SkyNetCluster
import SkyNetCore

/// What people see of one system in a run.
package struct SystemRow: Sendable {
  /// What keeps a system from work, or does not.
  package enum Condition: Hashable, Sendable {
    case present
    case silent(since: Double)
    /// It takes no new tasks, and finishes those that it has; `by` is the client that asked it to, if one has.
    case leaving(by: String? = nil)
    /// It is the run's own process, and takes no new tasks, as the node of this name on the same machine does.
    case yielding(to: String)
    /// It can run no scan of the run.
    case unsuited(reason: String)
    /// It failed this often in a row, or died young (0 failures), and gets no tasks for a while.
    case paused(until: Double, failures: Int)
    case gone(reason: String)
  }

  /// How many seconds ``history`` covers.
  package static let historySeconds = 60

  /// The system's name; `local` is the run's own process.
  package internal(set) var name: String
  package private(set) var address = ""
  /// How many scans it runs at a time; 0 if that is not known, as of `local`.
  package private(set) var slots = 0
  package private(set) var version = ""
  var standing = Standing()
  /// The attempts that were handed out and have not ended.
  package var inFlight = 0
  /// The sectors that it completed, and the tasks of all passes that it did.
  package private(set) var completed = 0
  package private(set) var tasks = 0
  /// The attempts there that failed, or were lost with it while they ran, and were handed out again. All systems'
  /// together are ``RunView/retried``.
  package var retried = 0
  /// The attempts that were lost with it, whether they ran or waited there.
  package var lost = 0
  /// How long its scans ran, in seconds, all together.
  package private(set) var scanSeconds = 0.0
  /// The tasks that it did in each of the last seconds, by the second modulo ``historySeconds``.
  private var history = [UInt32](repeating: 0, count: historySeconds)
  private var lastSecond = 0

  init(name: String) {
    self.name = name
  }

  package var condition: Condition { standing.condition }
  package var isGone: Bool { if case .gone = condition { true } else { false } }
  var isLeaving: Bool { if case .leaving = condition { true } else { false } }

  mutating func connected(_ system: RemoteSystem) {
    address = system.address
    slots = system.slots
    version = system.version
    standing.set(.present)
  }

  mutating func done(in seconds: Double, endsSector: Bool, at time: Double) {
    tasks += 1
    if endsSector { completed += 1 }
    scanSeconds += seconds
    advance(to: Int(time))
    history[lastSecond % Self.historySeconds] += 1
  }

  private mutating func advance(to second: Int) {
    guard second > lastSecond else { return }
    for passed in max(lastSecond + 1, second - Self.historySeconds + 1)...second {
      history[passed % Self.historySeconds] = 0
    }
    lastSecond = second
  }

  /// How many tasks it did in each of the last seconds, the latest last; the present second is left out.
  package func tasksPerSecond(at time: Double, last count: Int = historySeconds - 1) -> [Int] {
    let present = Int(time)
    return (1...min(count, Self.historySeconds - 1)).reversed().map { ago in
      let second = present - ago
      let isKnown = second <= lastSecond && second > lastSecond - Self.historySeconds
      return isKnown
        ? Int(history[(second % Self.historySeconds + Self.historySeconds) % Self.historySeconds])
        : 0
    }
  }
}
