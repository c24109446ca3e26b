import SkyNetCore

/// An engagement's view of the cluster's membership: the systems that it knows to be there, and which of them
/// are of no use to it.
struct MembershipView {
  private let kind: ScanKind
  private var remotes: [RemoteSystem] = []
  /// Those that take nothing new.
  private var draining: Set<Incarnation> = []

  /// - Parameter kind: what is to be scanned.
  init(for kind: ScanKind) {
    self.kind = kind
  }

  /// Returns what is to be told of a change.
  mutating func take(_ change: Systems.Change) -> [EngagementEvent] {
    switch change {
    case .connected(let system):
      remotes.append(system)
      let event = EngagementEvent.connected(system)
      return system.scans.contains(kind) ? [event] : [event, .unsuited(system, lacks: kind)]
    case .disconnected(let system, let reason):
      remotes.removeAll { $0.incarnation == system.incarnation }
      draining.remove(system.incarnation)
      return [.disconnected(system, reason: reason)]
    case .draining(let id):
      guard draining.insert(id).inserted else { return [] }
      return [.leaving(name(of: id))]
    case .serving(let id):
      draining.remove(id)
      return []
    }
  }

  private func name(of id: Incarnation) -> String {
    remotes.first { $0.incarnation == id }?.name ?? "local"
  }

  /// The names of those that take nothing new.
  var leaving: [String] { draining.map(name).sorted() }

  /// Those that do not know the scan.
  var unsuited: [RemoteSystem] { remotes.filter { !$0.scans.contains(kind) } }

  /// Why there is no system for the engagement, after it was waited for.
  func error(waited: Duration) -> EngagementError {
    let unsuited = unsuited
    guard !unsuited.isEmpty else { return .noSystem(waited: waited) }
    return .noSuitableSystem(
      for: kind, found: unsuited.map { "\($0.name) (\($0.version))" }, waited: waited)
  }
}
