package import SkyNetCore

/// A change of a system during a run, as a journal records it: for people, who ask afterwards who was there.
/// Nothing is decided by it.
package struct SystemChange: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The system has connected. This process's own system has no address, and is there from the beginning.
    case connected(address: String, slots: Int, version: String)
    /// It has this name from now on, and in all that was recorded of it.
    case renamed
    case disconnected(reason: String)
    /// It takes no new tasks.
    case leaving
    /// It takes tasks again.
    case serving
    /// Nothing has come from it for this long.
    case silent(seconds: Double)
    /// It has sent something again.
    case heard
    /// It gets no tasks for this long, as it failed this often in a row.
    case paused(failures: Int, seconds: Double)
    case resumed
    /// It does not know the run's kind of scan, and gets no tasks.
    case unsuited(lacks: ScanKind)
  }

  package let system: Incarnation
  /// The system's name for people; `local` for this process's own.
  package let name: String
  package let kind: Kind

  package init(_ system: Incarnation, _ name: String, _ kind: Kind) {
    self.system = system
    self.name = name
    self.kind = kind
  }
}

extension Systems.Change {
  /// What a run with this kind of scan reports of the change.
  func events(for kind: ScanKind) -> [EngagementEvent] {
    switch self {
    case .connected(let system):
      let event = EngagementEvent.connected(system)
      return system.scans.contains(kind) ? [event] : [event, .unsuited(system, lacks: kind)]
    case .renamed(let system, let former): return [.renamed(system, from: former)]
    case .disconnected(let system, let reason): return [.disconnected(system, reason: reason)]
    case .draining(let name, let client): return [.leaving(name.text, by: client)]
    case .yielding(_, let node, let nodeSlots, let slots):
      return [.yielding(to: node, nodeSlots: nodeSlots, slots: slots)]
    case .serving(let name): return [.serving(name.text)]
    case .silent(let system, let silence): return [.silent(system, for: silence)]
    case .heard(let system): return [.heard(system)]
    case .paused(let name, let failures, let duration):
      return [.paused(name.text, failures: failures, for: duration)]
    case .resumed(let name): return [.resumed(name.text)]
    }
  }

  /// What its journal records of it.
  func entries(for kind: ScanKind) -> [SystemChange] {
    func entry(_ system: RemoteSystem, _ change: SystemChange.Kind) -> SystemChange {
      SystemChange(system.incarnation, system.name, change)
    }
    func entry(_ name: Systems.Name, _ change: SystemChange.Kind) -> [SystemChange] {
      [SystemChange(name.id, name.text, change)]
    }
    switch self {
    case .connected(let system):
      let connected = entry(
        system,
        .connected(address: system.address, slots: system.slots, version: system.version))
      return system.scans.contains(kind)
        ? [connected] : [connected, entry(system, .unsuited(lacks: kind))]
    case .renamed(let system, _): return [entry(system, .renamed)]
    case .disconnected(let system, let reason):
      return [entry(system, .disconnected(reason: reason))]
    case .draining(let name, _), .yielding(let name, _, _, _): return entry(name, .leaving)
    case .serving(let name): return entry(name, .serving)
    case .silent(let system, let silence):
      return [entry(system, .silent(seconds: silence.inSeconds))]
    case .heard(let system): return [entry(system, .heard)]
    case .paused(let name, let failures, let duration):
      return entry(name, .paused(failures: failures, seconds: duration.inSeconds))
    case .resumed(let name): return entry(name, .resumed)
    }
  }
}
