import SkyNetCore

/// What is known of the instances a DNS-SD browser reports, and what to do next.
///
/// The browser only gives names. A name is looked up (its host, port and TXT record, then the
/// host's addresses), at most `maximumLookups` at once, and becomes a sighting when the first
/// addresses are in. Its TXT record is then watched: a node that died unseen and came back under
/// its name need not be removed and added by the browser, but its incarnation is another.
///
/// Pure: told what happened, it says what to do. Whoever does it delivers no event of a lookup or
/// watch after it was told to end it.
struct SightingTable {
  enum Event: Equatable {
    case browserStarted
    /// No browser runs (any more), nor anything else that was asked of the daemon.
    case browserFailed(reason: String)
    /// A peer is added once for each interface and IP protocol it is heard on, and so removed.
    case instanceAdded(name: String, interface: UInt32)
    case instanceRemoved(name: String, interface: UInt32)
    case resolved(name: String, host: String, port: Int, text: TXTRecord)
    case addressAppeared(name: String, PeerAddress)
    case addressDisappeared(name: String, PeerAddress)
    /// The time given in `.settleLookup` is over.
    case lookupSettled(name: String)
    /// The daemon said so, or the time given in `.startLookup` is over.
    case lookupFailed(name: String)
    case retryFellDue(name: String)
    case textSeen(name: String, TXTRecord)
    /// The time given in `.awaitAnswers` is over.
    case answersAwaited
  }

  enum Action: Equatable {
    case browse(after: Duration)
    /// Resolve; it fails when the time is over.
    case startLookup(name: String, within: Duration)
    /// Go on with the lookup of that name.
    case queryAddresses(name: String, host: String)
    case settleLookup(name: String, after: Duration)
    /// Free what the lookup holds, and forget its timers or its retry.
    case endLookup(name: String)
    case retryLookup(name: String, after: Duration)
    case watchText(name: String)
    case unwatchText(name: String)
    case awaitAnswers(Duration)
    case emit(DiscoveryEvent)
  }

  /// A lookup holds up to two references at a time, a watch holds one; each is a connection to
  /// the system bus, which gives a user 256 unless configured otherwise, and a thread.
  static let maximumLookups = 8
  static let maximumWatches = 32
  /// Longer than the daemon's own time limit for resolving, so that its error comes first.
  static let lookupTimeout = Duration.seconds(8)
  /// After a first address, time for its fellows: they come from the same answer or the cache.
  static let settleTime = Duration.milliseconds(100)
  /// Time for a new daemon to hear from everyone: it asks at 0, 1 and 3 seconds.
  static let answersTime = Duration.seconds(5)

  private var instances: [String: Instance] = [:]
  private var queue: [String] = []
  private var lookingUp: Set<String> = []
  private var watched: Set<String> = []
  private var browserBackoff = Backoff.forDaemon
  /// What the last event about the browser said, if there was one.
  private var isAvailable: Bool?

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .browserStarted: browserStarted()
    case .browserFailed(let reason): browserFailed(reason)
    case .instanceAdded(let name, let interface): added(name, interface)
    case .instanceRemoved(let name, let interface): removed(name, interface)
    case .resolved(let name, let host, let port, let text): resolved(name, host, port, text)
    case .addressAppeared(let name, let address): appeared(name, address)
    case .addressDisappeared(let name, let address): disappeared(name, address)
    case .lookupSettled(let name): settled(name)
    case .lookupFailed(let name): failed(name)
    case .retryFellDue(let name): requestLookup(name)
    case .textSeen(let name, let text): seen(text, of: name)
    case .answersAwaited: answersAwaited()
    }
  }
}

// MARK: The browser

extension SightingTable {
  private mutating func browserStarted() -> [Action] {
    browserBackoff.succeeded()
    var actions: [Action] = []
    if isAvailable != true { actions.append(.emit(.available)) }
    isAvailable = true
    if !instances.isEmpty { actions.append(.awaitAnswers(Self.answersTime)) }
    return actions
  }

  private mutating func browserFailed(_ reason: String) -> [Action] {
    var actions: [Action] = []
    for (name, instance) in instances.sorted(by: { $0.key < $1.key }) {
      actions += endLookup(name) + unwatch(name)
      // What was sighted stays so until a new browser had time to hear of it.
      instances[name] = instance.sighting == nil ? nil : Instance(sighting: instance.sighting)
    }
    queue = []
    if isAvailable != false { actions.append(.emit(.unavailable(reason: reason))) }
    isAvailable = false
    actions.append(.browse(after: browserBackoff.failed()))
    return actions
  }

  private mutating func answersAwaited() -> [Action] {
    guard isAvailable == true else { return [] }
    let gone = instances.filter { $0.value.references.isEmpty }.keys.sorted()
    return gone.flatMap { lose($0) }
  }

  private mutating func added(_ name: String, _ interface: UInt32) -> [Action] {
    instances[name, default: Instance()].references[interface, default: 0] += 1
    // Also for one that is known: another interface can mean other addresses, and where a node
    // restarts its old reference may be removed after the new one is added.
    return requestLookup(name)
  }

  private mutating func removed(_ name: String, _ interface: UInt32) -> [Action] {
    guard let count = instances[name]?.references[interface] else { return [] }
    instances[name]?.references[interface] = count > 1 ? count - 1 : nil
    return instances[name]?.references.isEmpty == true ? lose(name) : requestLookup(name)
  }

  private mutating func lose(_ name: String) -> [Action] {
    let wasSighted = instances[name]?.sighting != nil
    let actions = endLookup(name) + unwatch(name)
    instances[name] = nil
    return actions + (wasSighted ? [.emit(.lost(name: name))] : []) + startLookups()
  }
}

// MARK: Lookups

extension SightingTable {
  private mutating func requestLookup(_ name: String) -> [Action] {
    guard let instance = instances[name], !instance.references.isEmpty else { return [] }
    switch instance.lookup {
    case .queued, .resolving: return []
    case .idle, .retrying, .addressing:
      let actions = endLookup(name)
      instances[name]?.lookup = .queued
      queue.append(name)
      return actions + startLookups()
    }
  }

  private mutating func startLookups() -> [Action] {
    var actions: [Action] = []
    while lookingUp.count < Self.maximumLookups, !queue.isEmpty {
      let name = queue.removeFirst()
      instances[name]?.lookup = .resolving
      lookingUp.insert(name)
      actions.append(.startLookup(name: name, within: Self.lookupTimeout))
    }
    return actions
  }

  private mutating func resolved(
    _ name: String, _ host: String, _ port: Int, _ text: TXTRecord
  ) -> [Action] {
    guard case .resolving? = instances[name]?.lookup else { return [] }
    guard (1...65535).contains(port) else { return failed(name) }
    instances[name]?.lookup = .addressing(port: port, text, [])
    return [.queryAddresses(name: name, host: host)]
  }

  private mutating func appeared(_ name: String, _ address: PeerAddress) -> [Action] {
    guard case .addressing(let port, let text, let addresses)? = instances[name]?.lookup else {
      return []
    }
    instances[name]?.lookup = .addressing(port: port, text, addresses.union([address]))
    return addresses.isEmpty ? [.settleLookup(name: name, after: Self.settleTime)] : []
  }

  private mutating func disappeared(_ name: String, _ address: PeerAddress) -> [Action] {
    guard case .addressing(let port, let text, let addresses)? = instances[name]?.lookup else {
      return []
    }
    instances[name]?.lookup = .addressing(port: port, text, addresses.subtracting([address]))
    return []
  }

  private mutating func settled(_ name: String) -> [Action] {
    guard var instance = instances[name],
      case .addressing(let port, let text, let addresses) = instance.lookup
    else { return [] }
    guard !addresses.isEmpty else { return failed(name) }
    let sighting = Sighting(
      name: name, endpoints: addresses.sorted().map { Endpoint(host: $0.host, port: port) },
      incarnation: text.incarnation, slots: text.slots, protocolVersion: text.protocolVersion,
      fingerprint: text.fingerprint)
    let isNew = sighting != instance.sighting
    // Seen while this lookup ran, and not what it found: one of the two is older. Once more.
    let isDoubtful = instance.textSeen != nil && instance.textSeen != text
    instance.sighting = sighting
    instance.text = text
    instance.textSeen = nil
    instance.retries.succeeded()
    instances[name] = instance
    var actions = endLookup(name)
    if isNew { actions.append(.emit(.found(sighting))) }
    actions += watch(name)
    return actions + (isDoubtful ? requestLookup(name) : startLookups())
  }

  private mutating func failed(_ name: String) -> [Action] {
    guard let wait = instances[name]?.retries.failed() else { return [] }
    let actions = endLookup(name)
    instances[name]?.lookup = .retrying
    return actions + [.retryLookup(name: name, after: wait)] + startLookups()
  }

  /// The lookup of that name, wherever it has got to, is no more.
  private mutating func endLookup(_ name: String) -> [Action] {
    switch instances[name]?.lookup {
    case nil, .idle: return []
    case .queued: queue.removeAll { $0 == name }
    case .resolving, .addressing, .retrying: break
    }
    let wasQueued = instances[name]?.lookup == .queued
    lookingUp.remove(name)
    instances[name]?.lookup = .idle
    return wasQueued ? [] : [.endLookup(name: name)]
  }
}

// MARK: Watching TXT records

extension SightingTable {
  private mutating func watch(_ name: String) -> [Action] {
    guard watched.count < Self.maximumWatches, watched.insert(name).inserted else { return [] }
    return [.watchText(name: name)]
  }

  private mutating func unwatch(_ name: String) -> [Action] {
    watched.remove(name) == nil ? [] : [.unwatchText(name: name)]
  }

  private mutating func seen(_ text: TXTRecord, of name: String) -> [Action] {
    guard let instance = instances[name], text != instance.text else { return [] }
    switch instance.lookup {
    case .queued, .resolving, .addressing:
      instances[name]?.textSeen = text
      return []
    case .idle, .retrying: return requestLookup(name)
    }
  }
}

/// What is known of one name.
private struct Instance {
  enum Lookup: Equatable {
    case idle
    case queued
    case resolving
    case addressing(port: Int, TXTRecord, Set<PeerAddress>)
    case retrying
  }

  /// How often it was added, by interface; no zeros.
  var references: [UInt32: Int] = [:]
  var lookup = Lookup.idle
  var retries = Backoff(first: .seconds(1), limit: .seconds(30))
  /// As it was last told to others.
  var sighting: Sighting?
  /// As found by the last lookup that succeeded.
  var text: TXTRecord?
  /// As seen by the watch since.
  var textSeen: TXTRecord?
}
