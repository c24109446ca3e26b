package import SkyNetCluster
package import SkyNetCore

/// What people see of the cluster: its systems, the engagements that these hear of, the nodes of other
/// clusters, and notices of what comes and goes. It is made of the changes of the connected systems, and of
/// their answers when they are polled.
///
/// Its memory is bounded. Times are seconds since 1970.
package struct ClusterView: Sendable {
  /// The most systems and engagements.
  package static let (systemLimit, engagementLimit) = (1024, 1024)
  /// How long a system that has gone stays in the view, in seconds.
  package static let goneSeconds = 30.0
  /// How long an engagement stays in the view that no node tells of, in seconds; and how long if those that
  /// told of it do not answer.
  package static let (untoldSeconds, unansweredSeconds) = (3.0, 30.0)

  /// The time of the last change or poll.
  package private(set) var now: Double
  /// The systems, in the order in which they connected; those that have gone are among them for a while.
  package private(set) var systems: [ClusterSystem] = []
  /// The engagements, in the order in which they were first seen. Each is here once.
  package private(set) var engagements: [ClusterEngagement] = []
  package private(set) var foreignNodes: [ForeignNode] = []
  /// The fingerprint of this process's own cluster; `nil` if it does not encrypt.
  package private(set) var ownFingerprint: String?
  package private(set) var notices = Notices()

  package init(ownFingerprint: String?, at time: Double) {
    self.ownFingerprint = ownFingerprint
    now = time
  }

  // MARK: Figures

  /// The systems that are connected.
  package var connected: [ClusterSystem] { systems.filter { !$0.isGone } }
  package var slots: Int { systems.reduce(0) { $0 + ($1.isGone ? 0 : $1.system.slots) } }
  package var running: Int { systems.reduce(0) { $0 + $1.running } }
  package var waiting: Int { systems.reduce(0) { $0 + $1.waiting } }
  /// The scans that ended with a result, per second, lately, on all systems.
  package func rate(at time: Double) -> Double { systems.reduce(0) { $0 + $1.rate(at: time) } }

  package func system(_ id: Incarnation) -> ClusterSystem? { systems.first { $0.id == id } }
  package func engagement(_ id: RunID) -> ClusterEngagement? { engagements.first { $0.id == id } }

  // MARK: Changes

  package mutating func apply(_ change: Systems.Change, at time: Double) {
    now = max(now, time)
    switch change {
    case .connected(let system): connected(system, at: time)
    case .renamed(let system, let former):
      self.change(system.incarnation) { $0.system = system }
      note(EventText.renamed(system, from: former), at: time)
    case .disconnected(let system, let reason):
      note(EventText.disconnected(system.name, reason), isFault: true, at: time)
      self.change(system.incarnation) { row in
        row.set(.gone(reason: reason), at: time)
        row.forgetStatus()
      }
    case .draining(let name, let client):
      self.change(name.id) { $0.set(.leaving(by: client), at: time) }
      note(EventText.leaving(name.text, by: client), at: time)
    case .silent(let system, let silence):
      let (id, since) = (system.incarnation, time - silence.inSeconds)
      guard let row = self.system(id) else { return }
      if case .silent = row.condition {} else { noteOf(id, "is silent", isFault: true, at: time) }
      self.change(id) { $0.silent(since: since) }
    case .heard(let system):
      noteOf(system.incarnation, "is heard again", at: time)
      self.change(system.incarnation) { $0.heard(at: time) }
    case .serving, .yielding, .paused, .resumed, .helping, .helped: break
    }
  }

  /// Takes the answers to a poll of the connected systems.
  package mutating func polled(_ statuses: [Incarnation: SystemStatus], at time: Double) {
    now = max(now, time)
    for index in systems.indices where !systems[index].isGone {
      if let status = statuses[systems[index].id] { systems[index].answered(status, at: time) }
    }
    systems.removeAll { $0.isGone && time - $0.conditionSince > Self.goneSeconds }
    merge(statuses, at: time)
    countScans(statuses)
  }

  /// Takes the nodes of other clusters that discovery reports.
  ///
  /// - Parameter ownFingerprint: that of this process's own cluster, if it may have changed.
  package mutating func sees(
    _ foreign: [ForeignNode], ownFingerprint: String? = nil, at time: Double
  ) {
    self.ownFingerprint = ownFingerprint ?? self.ownFingerprint
    guard foreign != foreignNodes else { return }
    let known = Set(foreignNodes)
    let new = foreign.filter { !known.contains($0) }
    foreignNodes = foreign
    guard !new.isEmpty else { return }
    note(ForeignNodesText(new, ownFingerprint: self.ownFingerprint).names, at: time)
  }

  /// Adds a notice.
  package mutating func note(_ text: String, isFault: Bool = false, at time: Double) {
    notices.add(text, isFault: isFault, at: time)
  }

  // MARK: Systems

  private mutating func connected(_ system: RemoteSystem, at time: Double) {
    // Its former life need not be seen any more.
    systems.removeAll { $0.isGone && $0.name == system.name || $0.id == system.incarnation }
    if systems.count == Self.systemLimit, let gone = systems.firstIndex(where: \.isGone) {
      systems.remove(at: gone)
    }
    guard systems.count < Self.systemLimit else { return }
    systems.append(ClusterSystem(system, at: time))
    note(
      "connected \(system.name): \(system.slots) slot\(system.slots == 1 ? "" : "s") "
        + "at \(system.address)", at: time)
  }

  private mutating func change(_ id: Incarnation, _ body: (inout ClusterSystem) -> Void) {
    guard let index = systems.firstIndex(where: { $0.id == id }) else { return }
    body(&systems[index])
  }

  private mutating func noteOf(
    _ id: Incarnation, _ text: String, isFault: Bool = false, at time: Double
  ) {
    guard let system = system(id) else { return }
    note("\(system.name) \(text)", isFault: isFault, at: time)
  }

  // MARK: Engagements

  private mutating func merge(_ statuses: [Incarnation: SystemStatus], at time: Double) {
    let told = statuses.values.flatMap(\.engagements).merged
    let latest = Dictionary(uniqueKeysWithValues: told.map { ($0.run, $0) })
    for index in engagements.indices {
      if let summary = latest[engagements[index].id] { engagements[index].told(summary, at: time) }
    }
    let known = Set(engagements.map(\.id))
    for summary in told
    where !known.contains(summary.run) && engagements.count < Self.engagementLimit {
      engagements.append(ClusterEngagement(summary, at: time))
      // The name of a growing job counts its parts, and its sectors come to be known as it goes on.
      let sectors = ", \(summary.sectors) sector\(summary.sectors == 1 ? "" : "s")"
      note(
        "\(summary.client) engages: \(summary.name)\(summary.parts == nil ? sectors : "")",
        at: time)
    }
    noteTellers(statuses)
    let over = engagements.filter { isOver($0, statuses, at: time) }
    for engagement in over {
      note(
        "\(engagement.summary.name) of \(engagement.summary.client) is over, last seen at "
          + engagement.summary.endedText, at: time)
    }
    let overRuns = Set(over.map(\.id))
    engagements.removeAll { overRuns.contains($0.id) }
  }

  private mutating func noteTellers(_ statuses: [Incarnation: SystemStatus]) {
    var tellers: [RunID: Set<Incarnation>] = [:]
    for (id, status) in statuses {
      for summary in status.engagements { tellers[summary.run, default: []].insert(id) }
    }
    for index in engagements.indices {
      if let latest = tellers[engagements[index].id] { engagements[index].tellers = latest }
    }
  }

  /// Whether the nodes have forgotten an engagement. A node that does not answer may still know of it.
  private func isOver(
    _ engagement: ClusterEngagement, _ statuses: [Incarnation: SystemStatus], at time: Double
  ) -> Bool {
    let untold = time - engagement.seen
    guard untold > Self.untoldSeconds else { return false }
    let mayBeKnown = systems.contains {
      !$0.isGone && engagement.tellers.contains($0.id) && statuses[$0.id] == nil
    }
    return !mayBeKnown || untold > Self.unansweredSeconds
  }

  private mutating func countScans(_ statuses: [Incarnation: SystemStatus]) {
    var counts: [RunID: [String: Int]] = [:]
    for system in systems {
      for scan in statuses[system.id]?.scans ?? [] {
        counts[scan.run, default: [:]][system.name, default: 0] += 1
      }
    }
    for index in engagements.indices {
      engagements[index].runs(counts[engagements[index].id] ?? [:])
    }
  }
}
