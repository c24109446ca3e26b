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

extension MembershipView {
  /// What a journal records of a change that ``apply(_:)`` has not applied yet.
  func entries(for change: Systems.Change) -> [SystemChange] {
    func entry(_ id: Incarnation, _ kind: SystemChange.Kind) -> [SystemChange] {
      [SystemChange(id, name(of: id), kind)]
    }
    switch change {
    case .connected(let system):
      let connected = SystemChange(
        system.incarnation, system.name,
        .connected(address: system.address, slots: system.slots, version: system.version))
      guard !system.scans.contains(kind) else { return [connected] }
      return [connected, SystemChange(system.incarnation, system.name, .unsuited(lacks: kind))]
    case .renamed(let system, _): return [SystemChange(system.incarnation, system.name, .renamed)]
    case .disconnected(let system, let reason):
      return [SystemChange(system.incarnation, system.name, .disconnected(reason: reason))]
    case .draining(let id, _), .yielding(let id, _, _, _): return entry(id, .leaving)
    case .serving(let id): return entry(id, .serving)
    case .silent(let id, let silence): return entry(id, .silent(seconds: silence.inSeconds))
    case .heard(let id): return entry(id, .heard)
    case .paused(let id, let failures, let duration):
      return entry(id, .paused(failures: failures, seconds: duration.inSeconds))
    case .resumed(let id): return entry(id, .resumed)
    }
  }
}
