import SkyNetCluster
import SkyNetCore

/// Decides how to make discovered peers of the instances that a DNS-SD browser reports.
///
/// The browser only reports names. Each name is looked up, at most `maximumLookups` at a time: a resolver
/// answers with the service (host, port and TXT record), then the host's addresses are queried, and with the
/// first of them the peer is reported as found. Where possible the resolver is kept, since its first answer may be
/// out of date: the daemon answers from memory before it asks the network, and the browser does not report a
/// node that died unnoticed and came back under its name. So later answers of a resolver count.
///
/// The struct is pure: it takes events and returns the actions to perform. After an action that ends a lookup
/// or a resolver, it must get no more events of that one.
struct DiscoveredInstances {
  enum Event: Equatable {
    case browserStarted
    /// The browser could not be started, or has ended, and so have all lookups and resolvers.
    case browserFailed(reason: String)
    /// An instance is added, and later removed, once for each interface and IP protocol.
    case instanceAdded(name: String, interface: UInt32)
    case instanceRemoved(name: String, interface: UInt32)
    /// A resolver has answered, for the first time or again.
    case resolved(name: String, Service)
    /// A resolver has failed, and answers no more.
    case resolverFailed(name: String)
    case addressAppeared(name: String, PeerAddress)
    case addressDisappeared(name: String, PeerAddress)
    /// The time of `.settleLookup` is over.
    case lookupSettled(name: String)
    /// A query failed, or the time of `.startLookup` is over.
    case lookupFailed(name: String)
    /// The time of `.retryLookup` is over.
    case retryDue(name: String)
    /// The peer does not answer where it was found, or no longer.
    case peerUnreachable(name: String)
    /// The time of `.startGracePeriod` is over.
    case gracePeriodEnded
  }

  enum Action: Equatable {
    case browse(after: Duration)
    /// Begins a lookup, which fails when the time is over.
    case startLookup(name: String, within: Duration)
    case queryAddresses(name: String, host: String)
    case settleLookup(name: String, after: Duration)
    /// Closes a lookup's queries, and cancels its timers and its retry.
    case endLookup(name: String)
    case retryLookup(name: String, after: Duration)
    case startResolver(name: String)
    case endResolver(name: String)
    case startGracePeriod(Duration)
    case emit(DiscoveryEvent)
  }

  /// A lookup holds up to two references at a time, and a kept resolver is one. Each reference is a thread and a
  /// connection to the system bus, of which a user has 256 unless configured otherwise.
  static let maximumLookups = 8
  static let maximumKeptResolvers = 32
  /// Longer than the daemon's own limit for resolving, so that the daemon's error comes first.
  static let lookupTimeout = Duration.seconds(8)
  /// How long to wait for further addresses after the first: they come from the same answer, or from the
  /// daemon's cache.
  static let settleTime = Duration.milliseconds(100)
  /// How long a new daemon gets to hear from all hosts: it asks after 0, 1 and 3 seconds.
  static let gracePeriod = Duration.seconds(5)

  private var instances: [String: Instance] = [:]
  private var queue: [String] = []
  private var lookingUp: Set<String> = []
  /// The names whose resolvers have answered and are kept.
  private var keptResolvers: Set<String> = []
  private var browserBackoff = Backoff.forDaemon
  /// Whether a browser runs, as last emitted; `nil` before the first such event.
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
    case .retryDue(let name): requestLookup(name)
    case .peerUnreachable(let name): unreachable(name)
    case .gracePeriodEnded: gracePeriodEnded()
    }
  }
}

// MARK: The browser

extension DiscoveredInstances {
  private mutating func browserStarted() -> [Action] {
    browserBackoff.succeeded()
    var actions: [Action] = []
    if isAvailable != true { actions.append(.emit(.available)) }
    isAvailable = true
    if !instances.isEmpty { actions.append(.startGracePeriod(Self.gracePeriod)) }
    return actions
  }

  private mutating func browserFailed(_ reason: String) -> [Action] {
    var actions: [Action] = []
    for (name, instance) in instances.sorted(by: { $0.key < $1.key }) {
      actions += endLookup(name) + endResolver(name)
      // A peer that was reported is lost only when a new browser has had time to find it.
      instances[name] = instance.peer == nil ? nil : Instance(peer: instance.peer)
    }
    queue = []
    if isAvailable != false { actions.append(.emit(.unavailable(reason: reason))) }
    isAvailable = false
    actions.append(.browse(after: browserBackoff.failed()))
    return actions
  }

  private mutating func gracePeriodEnded() -> [Action] {
    guard isAvailable == true else { return [] }
    let gone = instances.filter { $0.value.references.isEmpty }.keys.sorted()
    return gone.flatMap { lose($0) }
  }

  private mutating func added(_ name: String, _ interface: UInt32) -> [Action] {
    // No node has another name, and people are shown these.
    guard PeerName.isAllowed(name) else { return [] }
    instances[name, default: Instance()].references[interface, default: 0] += 1
    // Known instances are looked up again: another interface can mean other addresses, and when a node
    // restarts, its old reference may be removed after the new one is added.
    return requestLookup(name)
  }

  private mutating func removed(_ name: String, _ interface: UInt32) -> [Action] {
    guard let count = instances[name]?.references[interface] else { return [] }
    instances[name]?.references[interface] = count > 1 ? count - 1 : nil
    return instances[name]?.references.isEmpty == true ? lose(name) : requestLookup(name)
  }

  private mutating func lose(_ name: String) -> [Action] {
    let wasReported = instances[name]?.peer != nil
    let actions = endLookup(name) + endResolver(name)
    instances[name] = nil
    return actions + (wasReported ? [.emit(.lost(name: name))] : []) + startLookups()
  }
}

// MARK: Lookups

extension DiscoveredInstances {
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

  /// A host that gets another address keeps its names, of which alone the browser and the resolver tell. So the
  /// addresses are looked up again, unless a lookup is on its way or about to be.
  private mutating func unreachable(_ name: String) -> [Action] {
    instances[name]?.lookup == .idle ? requestLookup(name) : []
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
    let hosts = service.text.address.map { [$0] } ?? addresses.sorted().map(\.host)
    let peer = DiscoveredPeer(
      name: name, endpoints: hosts.map { Endpoint(host: $0, port: service.port) },
      incarnation: service.text.incarnation, slots: service.text.slots,
      protocolVersion: service.text.protocolVersion, fingerprints: service.text.fingerprints)
    let isNew = peer != instances[name]?.peer
    instances[name]?.peer = peer
    instances[name]?.retries.succeeded()
    return endLookup(name) + (isNew ? [.emit(.found(peer))] : []) + startLookups()
  }

  private mutating func failed(_ name: String) -> [Action] {
    guard let wait = instances[name]?.retries.failed() else { return [] }
    let actions = endLookup(name) + endResolver(name)
    instances[name]?.lookup = .retrying
    return actions + [.retryLookup(name: name, after: wait)] + startLookups()
  }

  /// Ends the lookup of that name, in whatever state it is. Only a resolver that is kept stays.
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

extension DiscoveredInstances {
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

  /// Keeps a resolver that has answered, or ends it if there are too many.
  private mutating func keepResolver(_ name: String) -> [Action] {
    guard keptResolvers.count < Self.maximumKeptResolvers else { return [.endResolver(name: name)] }
    keptResolvers.insert(name)
    return []
  }

  private mutating func endResolver(_ name: String) -> [Action] {
    keptResolvers.remove(name) == nil ? [] : [.endResolver(name: name)]
  }

  private func keptService(of name: String) -> Service? {
    keptResolvers.contains(name) ? instances[name]?.service : nil
  }
}

/// The content of an instance's SRV and TXT records.
struct Service: Hashable {
  let host: String
  let port: Int
  let text: TXTRecord
}

/// The state of one instance.
private struct Instance {
  enum Lookup: Equatable {
    case idle
    case queued
    case resolving
    case addressing(Service, Set<PeerAddress>)
    case retrying
  }

  /// How often the browser has added the instance and not removed it again, by interface; no zeros.
  var references: [UInt32: Int] = [:]
  var lookup = Lookup.idle
  var retries = Backoff(first: .seconds(1), limit: .seconds(30))
  /// The resolver's last answer.
  var service: Service?
  /// The peer as it was last reported.
  var peer: DiscoveredPeer?
}
