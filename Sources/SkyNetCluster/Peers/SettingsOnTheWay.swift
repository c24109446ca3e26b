import SkyNetCore

/// The settings that the peer of one connection keeps for this process. What is no longer in use gives way to others.
struct SentSettings {
  enum Addition {
    /// The peer has them.
    case there
    /// The caller is to send them, and to say what came of it. The peer is to drop others with them.
    case toSend(dropping: [Int], arrival: OneShot<Void>)
    /// Another caller sends them.
    case underWay(arrival: OneShot<Void>)
    /// The peer keeps too much that is in use: these come with each task.
    case noRoom
  }

  private struct Entry {
    let byteCount: Int
    /// Completed when the peer has them, or does not get them.
    let arrival = OneShot<Void>()
    var isThere = false
    /// How many attempts refer to them.
    var users = 0
    var lastUse: Int
  }

  private var entries: [Int: Entry] = [:]
  /// What the peer may have, and is to drop.
  private var dropped: [Int] = []
  private var lastUse = 0

  /// Whether the peer has these settings. If so, ``done(with:)`` is to follow.
  mutating func use(_ settings: CodedSettings) -> Bool {
    guard entries[settings.id]?.isThere == true else { return false }
    lastUse += 1
    entries[settings.id]?.users += 1
    entries[settings.id]?.lastUse = lastUse
    return true
  }

  mutating func add(_ settings: CodedSettings) -> Addition {
    if let entry = entries[settings.id] {
      return entry.isThere ? .there : .underWay(arrival: entry.arrival)
    }
    guard makeRoom(for: settings.byteCount) else { return .noRoom }
    lastUse += 1
    let entry = Entry(byteCount: settings.byteCount, lastUse: lastUse)
    entries[settings.id] = entry
    return .toSend(dropping: dropped, arrival: entry.arrival)
  }

  /// Drops settings that nobody uses, those first whose use is longest ago, until there is room. Returns whether there is.
  private mutating func makeRoom(for byteCount: Int) -> Bool {
    guard byteCount <= WireLimits.keptSettings.bytes else { return false }
    while entries.count >= WireLimits.keptSettings.count
      || entries.values.reduce(byteCount, { $0 + $1.byteCount }) > WireLimits.keptSettings.bytes
    {
      let unused = entries.filter { $0.value.isThere && $0.value.users == 0 }
      guard let oldest = unused.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
        return false
      }
      entries[oldest.key] = nil
      dropped.append(oldest.key)
    }
    return true
  }

  /// The peer has these, and has dropped those.
  mutating func arrived(_ id: Int, dropping: [Int]) {
    entries[id]?.isThere = true
    dropped.removeAll { dropping.contains($0) }
  }

  /// The call that was to bring them has failed. The peer may have them all the same.
  mutating func failed(_ id: Int) {
    entries[id] = nil
    dropped.append(id)
  }

  mutating func done(with id: Int) { entries[id]?.users -= 1 }
}

/// The settings that this process keeps for the peer of one connection, by the ids that the peer gave them.
///
/// It is an object, as each task is read with it. The connection changes it, on the engine, where tasks are read too.
final class KeptSettings {
  private var entries: [Int: (settings: KnownSettings, byteCount: Int)] = [:]
  private(set) var byteCount = 0

  subscript(id: Int) -> KnownSettings? { entries[id]?.settings }

  /// - Throws: `WireError` if the peer has more kept than it may.
  func keep(_ order: SettingsToKeep) throws(WireError) {
    for id in order.dropped + [order.id] {
      byteCount -= entries.removeValue(forKey: id)?.byteCount ?? 0
    }
    let limit = WireLimits.keptSettings
    guard entries.count < limit.count else {
      throw .tooMuch("settings", entries.count + 1, limit: limit.count)
    }
    guard byteCount + order.byteCount <= limit.bytes + WireLimits.hello else {
      throw .tooMuch("bytes of settings", byteCount + order.byteCount, limit: limit.bytes)
    }
    entries[order.id] = (order.settings, order.byteCount)
    byteCount += order.byteCount
  }
}
