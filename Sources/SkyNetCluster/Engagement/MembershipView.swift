import SkyNetCore

/// An engagement's view of the cluster's membership: the connected systems, and those of them that the
/// engagement cannot use.
struct MembershipView {
  let kind: ScanKind
  private var remotes: [RemoteSystem] = []
  /// The systems that take no new tasks.
  private var draining: Set<Incarnation> = []
  /// Those of them of which it is known that a client asked for it.
  private var asked: Set<Incarnation> = []

  /// - Parameter kind: the engagement's kind of scan.
  init(for kind: ScanKind) {
    self.kind = kind
  }

  /// Applies a change of the systems. Returns the events to report.
  mutating func apply(_ change: Systems.Change) -> [EngagementEvent] {
    switch change {
    case .connected(let system):
      remotes.append(system)
      let event = EngagementEvent.connected(system)
      return system.scans.contains(kind) ? [event] : [event, .unsuited(system, lacks: kind)]
    case .renamed(let system, let former):
      guard let index = remotes.firstIndex(where: { $0.incarnation == system.incarnation }) else {
        return []
      }
      remotes[index] = system
      return [.renamed(system, from: former)]
    case .disconnected(let system, let reason):
      remotes.removeAll { $0.incarnation == system.incarnation }
      draining.remove(system.incarnation)
      asked.remove(system.incarnation)
      return [.disconnected(system, reason: reason)]
    case .draining(let id, let client):
      // A call that is handed back may tell of the drain before the system says who asked for it.
      let isNews = draining.insert(id).inserted
      let isAnswer = client != nil && asked.insert(id).inserted
      return isNews || isAnswer ? [.leaving(name(of: id), by: client)] : []
    case .yielding(let id, let name, let nodeSlots, let slots):
      guard draining.insert(id).inserted else { return [] }
      return [.yielding(to: name, nodeSlots: nodeSlots, slots: slots)]
    case .serving(let id):
      asked.remove(id)
      return draining.remove(id) == nil ? [] : [.serving(name(of: id))]
    case .silent(let id, let silence): return remote(id).map { [.silent($0, for: silence)] } ?? []
    case .heard(let id): return remote(id).map { [.heard($0)] } ?? []
    case .paused(let id, let failures, let duration):
      return [.paused(name(of: id), failures: failures, for: duration)]
    case .resumed(let id): return [.resumed(name(of: id))]
    }
  }

  func name(of id: Incarnation) -> String {
    remote(id)?.name ?? "local"
  }

  private func remote(_ id: Incarnation) -> RemoteSystem? {
    remotes.first { $0.incarnation == id }
  }

  /// The names of the systems that take no new tasks.
  var drainingNames: [String] { draining.map(name).sorted() }

  /// The remote systems that do not know the scan.
  var unsuited: [RemoteSystem] { remotes.filter { !$0.scans.contains(kind) } }

  /// Why the engagement found no system to use while it waited for this long.
  func error(waited: Duration) -> EngagementError {
    let unsuited = unsuited
    guard !unsuited.isEmpty else { return .noSystem(waited: waited) }
    return .noSuitableSystem(
      for: kind, found: unsuited.map { "\($0.name) (\($0.version))" }, waited: waited)
  }
}
