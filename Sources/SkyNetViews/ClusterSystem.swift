package import SkyNetCluster
package import SkyNetCore

/// What people see of one system of the cluster, whichever client it scans for.
package struct ClusterSystem: Sendable, Identifiable {
  /// A system's counts at one of its answers.
  package struct Sample: Hashable, Sendable {
    package let time: Double
    /// The scans that ran.
    package let running: Int
    /// The scans that had ended with a result.
    package let done: Int
  }

  /// The most samples that are kept, one for each answer: as many as a history has seconds.
  package static let sampleLimit = SystemRow.historySeconds
  /// The rate is taken over this many seconds.
  private static let window = 5.0

  package internal(set) var system: RemoteSystem
  /// When it connected, or was already there at the view's beginning.
  package let connected: Double
  package var condition: SystemRow.Condition { standing.condition }
  private var standing = Standing()
  /// When the condition came to be.
  package private(set) var conditionSince: Double
  /// Its latest answer, and when that came; `nil` before the first one.
  package private(set) var status: SystemStatus?
  package private(set) var answered: Double?
  /// Its latest answers, the latest last.
  package private(set) var samples: [Sample] = []

  init(_ system: RemoteSystem, at time: Double) {
    self.system = system
    connected = time
    conditionSince = time
  }

  package var id: Incarnation { system.incarnation }
  package var name: String { system.name }
  package var isGone: Bool { if case .gone = condition { true } else { false } }

  package var running: Int { status.map { Self.sum($0.running) } ?? 0 }
  package var waiting: Int { status.map { Self.sum($0.waiting) } ?? 0 }
  package var done: Int { status.map { Self.sum($0.done) } ?? 0 }
  package var retried: Int { status?.retried ?? 0 }
  package var load: Double? { status?.load }
  /// How many scans run for each client, the one with most scans first.
  package var clients: [(name: String, running: Int)] {
    (status?.running ?? [:]).filter { $0.value > 0 }.map { (name: $0.key, running: $0.value) }
      .sorted { ($1.running, $0.name) < ($0.running, $1.name) }
  }

  private static func sum(_ counts: [String: Int]) -> Int { counts.values.reduce(0, +) }

  /// The scans that ended there with a result, per second, lately.
  package func rate(at time: Double) -> Double {
    guard let last = samples.last, time - last.time < Self.window,
      let first = samples.last(where: { last.time - $0.time >= Self.window }) ?? samples.first,
      last.time > first.time
    else { return 0 }
    return Double(max(0, last.done - first.done)) / (last.time - first.time)
  }

  mutating func set(_ condition: SystemRow.Condition, at time: Double) {
    standing.set(condition)
    conditionSince = time
  }

  mutating func silent(since time: Double) {
    standing.silent(since: time)
    conditionSince = time
  }

  mutating func heard(at time: Double) {
    standing.heard()
    conditionSince = time
  }

  mutating func answered(_ status: SystemStatus, at time: Double) {
    self.status = status
    answered = time
    // A node's view of itself hears of a drain by its status alone.
    switch condition {
    case .present where status.isDraining: set(.leaving(by: status.drainedBy), at: time)
    case .leaving(_?) where !status.isDraining: set(.present, at: time)
    default: break
    }
    if samples.count == Self.sampleLimit { samples.removeFirst() }
    samples.append(Sample(time: time, running: running, done: done))
  }

  /// A system that has gone runs nothing.
  mutating func forgetStatus() {
    status = nil
    samples = []
  }
}
