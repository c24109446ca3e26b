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
    /// It can run no scan of the run, and gets no tasks.
    case unsuited(reason: String)
  }

  package let system: Incarnation
  /// The system's name for people; `local` for this process's own.
  package let name: String
  package let kind: Kind
}

extension Systems.Change {
  /// What a run reports of the change, and what its journal records of it, if anything.
  var news: [(EngagementEvent, SystemChange?)] {
    typealias News = [(EngagementEvent, SystemChange?)]
    func news(
      of system: RemoteSystem, _ event: EngagementEvent, _ change: SystemChange.Kind
    ) -> News {
      [(event, SystemChange(system: system.incarnation, name: system.name, kind: change))]
    }
    func news(
      of name: Systems.Name, _ event: EngagementEvent, _ change: SystemChange.Kind
    ) -> News {
      [(event, SystemChange(system: name.id, name: name.text, kind: change))]
    }
    switch self {
    case .connected(let system):
      return news(
        of: system, .connected(system),
        .connected(address: system.address, slots: system.slots, version: system.version))
    case .renamed(let system, let former):
      return news(of: system, .renamed(system, from: former), .renamed)
    case .disconnected(let system, let reason):
      return news(
        of: system, .disconnected(system, reason: reason), .disconnected(reason: reason))
    case .draining(let name, let client):
      return news(of: name, .leaving(name.text, by: client), .leaving)
    case .yielding(let name, let node, let nodeSlots, let slots):
      return news(of: name, .yielding(to: node, nodeSlots: nodeSlots, slots: slots), .leaving)
    case .serving(let name): return news(of: name, .serving(name.text), .serving)
    case .silent(let system, let silence):
      return news(
        of: system, .silent(system, for: silence), .silent(seconds: silence.inSeconds))
    case .heard(let system): return news(of: system, .heard(system), .heard)
    case .paused(let name, let failures, let duration):
      return news(
        of: name, .paused(name.text, failures: failures, for: duration),
        .paused(failures: failures, seconds: duration.inSeconds))
    case .resumed(let name): return news(of: name, .resumed(name.text), .resumed)
    case .helping(let client): return [(.helping(client), nil)]
    case .helped(let client): return [(.helped(client), nil)]
    }
  }
}

/// A system that can run no scan of a run.
struct UnsuitedSystem: Sendable {
  let name: String
  /// What it lacks, and the next step, for people.
  let reason: String

  init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }

  init(_ system: RemoteSystem, lacks kind: ScanKind) {
    name = system.name
    let others = system.scans.filter { $0.name == kind.name }.map(\.description).sorted()
    let why =
      if !others.isEmpty {
        "it has \(others.joined(separator: " and ")): bring both programs to one version"
      } else if system.version == SkyNetVersion.software {
        "its program has no such scan, or was started without it"
      } else {
        "it is of version \(system.version), and this is \(SkyNetVersion.software)"
      }
    reason = "does not know scans of kind \(kind): \(why)"
  }
}
