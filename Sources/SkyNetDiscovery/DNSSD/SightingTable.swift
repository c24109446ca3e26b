import SkyNetCluster
import SkyNetCore

/// What is known of the instances a DNS-SD browser reports, and what to do next.
///
/// The browser only gives names. A name is looked up, at most `maximumLookups` at once: a resolver
/// tells its service (host, port and TXT record), queries the host's addresses, and with the first
/// of them it becomes a sighting. The resolver is kept where that is possible. It begins with what
/// the daemon remembers and asks the network only then, and a node that died unseen and came back
/// under its name is not added again by the browser: so what a resolver says later counts.
///
/// Pure: told what happened, it says what to do. Whoever does it delivers no event of a lookup or
/// resolver after it was told to end it.
struct SightingTable {
  enum Event: Equatable {
    case browserStarted
    /// No browser runs (any more), nor anything else that was asked of the daemon.
    case browserFailed(reason: String)
    /// A peer is added once for each interface and IP protocol it is heard on, and so removed.
    case instanceAdded(name: String, interface: UInt32)
    case instanceRemoved(name: String, interface: UInt32)
    /// A resolver tells a service, for the first time or anew.
    case resolved(name: String, Service)
    /// It says nothing more.
    case resolverFailed(name: String)
    case addressAppeared(name: String, PeerAddress)
    case addressDisappeared(name: String, PeerAddress)
    /// The time given in `.settleLookup` is over.
    case lookupSettled(name: String)
    /// No address can be had, or the time given in `.startLookup` is over.
    case lookupFailed(name: String)
    case retryFellDue(name: String)
    /// The time given in `.awaitAnswers` is over.
    case answersAwaited
  }

  enum Action: Equatable {
    case browse(after: Duration)
    /// It fails when the time is over.
    case startLookup(name: String, within: Duration)
    case queryAddresses(name: String, host: String)
    case settleLookup(name: String, after: Duration)
    /// Free its queries, and forget its timers or its retry.
    case endLookup(name: String)
    case retryLookup(name: String, after: Duration)
    case startResolver(name: String)
    case endResolver(name: String)
    case awaitAnswers(Duration)
    case emit(DiscoveryEvent)
  }

  /// A lookup holds up to two references at a time, a resolver that is kept is one; each is a
  /// connection to the system bus, which gives a user 256 unless configured otherwise, and a
  /// thread.
  static let maximumLookups = 8
  static let maximumKeptResolvers = 32
  /// Longer than the daemon's own time limit for resolving, so that its error comes first.
  static let lookupTimeout = Duration.seconds(8)
  /// After a first address, time for its fellows: they come from the same answer or the cache.
  static let settleTime = Duration.milliseconds(100)
  /// Time for a new daemon to hear from everyone: it asks at 0, 1 and 3 seconds.
  static let answersTime = Duration.seconds(5)

  private var instances: [String: Instance] = [:]
  private var queue: [String] = []
  private var lookingUp: Set<String> = []
  /// Whose resolvers have answered and are kept.
  private var kept: Set<String> = []
  private var browserBackoff = Backoff.forDaemon
  /// What the last event about the browser said, if there was one.
  private var isAvailable: Bool?

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .browserStarted: browserStarted()
    case .browserFailed(let reason): browserFailed(reason)
    case .instanceAdded(let name, let interface): added(name, interface)
    case .instanceRemoved(let name, let interface): removed(name, interface)
    case .resolved(let name, let service): resolved(name, service)
    case .resolverFailed(let name): failed(name)
    case .addressAppeared(let name, let address): appeared(name, address)
    case .addressDisappeared(let name, let address): disappeared(name, address)
    case .lookupSettled(let name): settled(name)
    case .lookupFailed(let name): failed(name)
    case .retryFellDue(let name): requestLookup(name)
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
      actions += endLookup(name) + endResolver(name)
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
    let actions = endLookup(name) + endResolver(name)
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
      lookingUp.insert(name)
      actions.append(.startLookup(name: name, within: Self.lookupTimeout))
      if let service = keptService(of: name) {
        actions += queryAddresses(name, service)
      } else {
        instances[name]?.lookup = .resolving
        actions.append(.startResolver(name: name))
      }
    }
    return actions
  }

  private mutating func queryAddresses(_ name: String, _ service: Service) -> [Action] {
    instances[name]?.lookup = .addressing(service, [])
    return [.queryAddresses(name: name, host: service.host)]
  }

  private mutating func appeared(_ name: String, _ address: PeerAddress) -> [Action] {
    guard case .addressing(let service, let addresses)? = instances[name]?.lookup else { return [] }
    instances[name]?.lookup = .addressing(service, addresses.union([address]))
    return addresses.isEmpty ? [.settleLookup(name: name, after: Self.settleTime)] : []
  }

  private mutating func disappeared(_ name: String, _ address: PeerAddress) -> [Action] {
    guard case .addressing(let service, let addresses)? = instances[name]?.lookup else { return [] }
    instances[name]?.lookup = .addressing(service, addresses.subtracting([address]))
    return []
  }

  private mutating func settled(_ name: String) -> [Action] {
    guard case .addressing(let service, let addresses)? = instances[name]?.lookup else { return [] }
    guard !addresses.isEmpty else { return failed(name) }
    let sighting = Sighting(
      name: name,
      endpoints: addresses.sorted().map { Endpoint(host: $0.host, port: service.port) },
      incarnation: service.text.incarnation, slots: service.text.slots,
      protocolVersion: service.text.protocolVersion, fingerprint: service.text.fingerprint)
    let isNew = sighting != instances[name]?.sighting
    instances[name]?.sighting = sighting
    instances[name]?.retries.succeeded()
    return endLookup(name) + (isNew ? [.emit(.found(sighting))] : []) + startLookups()
  }

  private mutating func failed(_ name: String) -> [Action] {
    guard let wait = instances[name]?.retries.failed() else { return [] }
    let actions = endLookup(name) + endResolver(name)
    instances[name]?.lookup = .retrying
    return actions + [.retryLookup(name: name, after: wait)] + startLookups()
  }

  /// The lookup of that name, wherever it has got to, is no more; only its resolver may stay.
  private mutating func endLookup(_ name: String) -> [Action] {
    guard let lookup = instances[name]?.lookup, lookup != .idle else { return [] }
    instances[name]?.lookup = .idle
    if lookup == .queued {
      queue.removeAll { $0 == name }
      return []
    }
    lookingUp.remove(name)
    return [.endLookup(name: name)] + (lookup == .resolving ? [.endResolver(name: name)] : [])
  }
}

// MARK: Resolvers

extension SightingTable {
  private mutating func resolved(_ name: String, _ service: Service) -> [Action] {
    guard let instance = instances[name] else { return [] }
    guard (1...65535).contains(service.port) else { return failed(name) }
    let isChanged = service != instance.service
    instances[name]?.service = service
    switch instance.lookup {
    case .resolving: return keepResolver(name) + queryAddresses(name, service)
    case .idle, .addressing: return isChanged ? requestLookup(name) : []
    case .queued, .retrying: return []
    }
  }

  /// Keeps a resolver that has answered, if there is room for it.
  private mutating func keepResolver(_ name: String) -> [Action] {
    guard kept.count < Self.maximumKeptResolvers else { return [.endResolver(name: name)] }
    kept.insert(name)
    return []
  }

  private mutating func endResolver(_ name: String) -> [Action] {
    kept.remove(name) == nil ? [] : [.endResolver(name: name)]
  }

  private func keptService(of name: String) -> Service? {
    kept.contains(name) ? instances[name]?.service : nil
  }
}

/// What a peer's SRV and TXT records say.
struct Service: Hashable {
  let host: String
  let port: Int
  let text: TXTRecord
}

/// What is known of one name.
private struct Instance {
  enum Lookup: Equatable {
    case idle
    case queued
    case resolving
    case addressing(Service, Set<PeerAddress>)
    case retrying
  }

  /// How often it was added, by interface; no zeros.
  var references: [UInt32: Int] = [:]
  var lookup = Lookup.idle
  var retries = Backoff(first: .seconds(1), limit: .seconds(30))
  /// As its resolver last told it.
  var service: Service?
  /// As it was last told to others.
  var sighting: Sighting?
}
