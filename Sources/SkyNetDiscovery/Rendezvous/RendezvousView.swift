import SkyNetCluster
import SkyNetCore

/// Decides which of the entries in a rendezvous directory are nodes that live.
///
/// A node that lives renews its file, and its entry's beat changes. This side watches for that by its own clock, as
/// the clocks of other machines, and of the file server, may differ. A file that is seen for the first time says
/// nothing yet, so its time is compared with the latest time of all entries, which live nodes keep up to date by
/// the server's clock: an entry that is much older is taken for dead until its beat changes.
struct RendezvousView {
  /// An entry, and when its file was last written by the file server's clock, in seconds.
  struct Seen: Hashable {
    let entry: RendezvousEntry
    let written: Double
  }

  private struct Known {
    var entry: RendezvousEntry
    /// The name in all events about the node.
    let name: String
    /// When the beat was last seen to change.
    var changed: Instant
    /// Whether the node has been reported.
    var isFound: Bool

    var peer: DiscoveredPeer {
      var peer = entry.peer
      peer.name = name
      return peer
    }
  }

  private var known: [Incarnation: Known] = [:]
  private let lifetime: Duration

  /// - Parameter lifetime: how long a node may leave its entry as it is before it counts as gone.
  init(lifetime: Duration) { self.lifetime = lifetime }

  /// The directory was read. These are all its entries.
  mutating func read(_ entries: [Seen], at now: Instant) -> [DiscoveryEvent] {
    var events: [DiscoveryEvent] = []
    let present = Set(entries.map(\.entry.incarnation))
    for (id, gone) in known.sorted(by: { $0.key < $1.key }) where !present.contains(id) {
      if gone.isFound { events.append(.lost(name: gone.name)) }
      known[id] = nil
    }
    let latest = entries.map(\.written).max() ?? 0
    for seen in entries.sorted(by: { $0.entry.incarnation < $1.entry.incarnation }) {
      let isRecent = latest - seen.written <= lifetime / .seconds(1)
      events += update(seen.entry, isRecent: isRecent, at: now)
    }
    return events
  }

  private mutating func update(
    _ entry: RendezvousEntry, isRecent: Bool, at now: Instant
  ) -> [DiscoveryEvent] {
    guard let before = known[entry.incarnation] else {
      let new = Known(entry: entry, name: name(for: entry), changed: now, isFound: isRecent)
      known[entry.incarnation] = new
      return isRecent ? [.found(new.peer)] : []
    }
    guard before.entry.beat != entry.beat else {
      guard before.isFound, before.changed + lifetime < now else { return [] }
      known[entry.incarnation]?.isFound = false
      return [.lost(name: before.name)]
    }
    let after = Known(entry: entry, name: before.name, changed: now, isFound: true)
    known[entry.incarnation] = after
    return before.isFound && before.peer == after.peer ? [] : [.found(after.peer)]
  }

  /// The node's own name. Nodes may have the same one, as nothing here compares them; then the later one has the
  /// beginning of its incarnation too.
  private func name(for entry: RendezvousEntry) -> String {
    known.values.contains { $0.name == entry.name }
      ? "\(entry.name) (\(entry.incarnation.description.prefix(8)))" : entry.name
  }
}
