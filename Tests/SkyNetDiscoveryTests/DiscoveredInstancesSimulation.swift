import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

/// A browser, lookups and resolvers that do anything in any order.
@Suite("Discovered instances in random order") struct DiscoveredInstancesSimulation {
  @Test("Exactly the instances that are there are reported in the end", arguments: 0..<300)
  func simulation(seed: UInt64) throws {
    var world = World(seed: seed)
    for _ in 0..<400 { try world.step() }
    try world.settle()
  }
}

/// Performs the actions of `DiscoveredInstances`, and fails at one that is not allowed.
private struct World {
  private static let names = (0..<12).map { "node \($0)" }
  private static let services = (0..<3).map {
    Peer.service(port: $0 + 1, Peer.text(incarnation: Incarnation()))
  }

  private enum Lookup { case started, addressing, settling, retrying }

  private var instances = DiscoveredInstances()
  private var random: SplitMix64
  private var browserRuns = false
  private var isInGracePeriod = false
  private var present: [String: [UInt32]] = [:]
  private var lookups: [String: Lookup] = [:]
  private var resolvers: Set<String> = []
  /// Each resolver's last answer.
  private var resolved: [String: Service] = [:]
  private var reported: [String: DiscoveredPeer] = [:]
  private var reportedAvailable: Bool?

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func step() throws {
    let name = Self.names.randomElement(using: &random)!
    let service = Self.services.randomElement(using: &random)!
    switch Int.random(in: 0..<20, using: &random) {
    case 0: try browserRuns ? fail() : start()
    case 1 where isInGracePeriod: try gracePeriodEnded()
    case 2...5 where browserRuns:
      let interface = UInt32.random(in: 1...2, using: &random)
      present[name, default: []].append(interface)
      try handle(.instanceAdded(name: name, interface: interface))
    case 6...8 where browserRuns:
      guard let index = present[name]?.indices.randomElement(using: &random),
        let interface = present[name]?.remove(at: index)
      else { return }
      try handle(.instanceRemoved(name: name, interface: interface))
    case 9 where resolvers.contains(name): try resolve(name, service)
    case 10 where resolvers.contains(name): try handle(.resolverFailed(name: name))
    case 11 where lookups[name] != nil && lookups[name] != .retrying:
      try handle(.lookupFailed(name: name))
    case 12: try handle(.peerUnreachable(name: name))
    default: try advance(name, service)
    }
  }

  /// Lets all lookups succeed, and checks that exactly the instances that are there are reported.
  mutating func settle() throws {
    if !browserRuns { try start() }
    if isInGracePeriod { try gracePeriodEnded() }
    var rounds = 0
    while let name = lookups.keys.min() {
      try advance(name, Self.services[0])
      rounds += 1
      try #require(rounds < 1000)
    }
    for name in resolvers {
      #expect(reported[name]?.endpoints.first?.port == resolved[name]?.port)
      #expect(reported[name]?.incarnation == resolved[name]?.text.incarnation)
    }
    #expect(Set(reported.keys) == Set(present.filter { !$0.value.isEmpty }.keys))
  }

  private mutating func start() throws {
    browserRuns = true
    try handle(.browserStarted)
  }

  private mutating func fail() throws {
    browserRuns = false
    isInGracePeriod = false
    present = [:]
    try handle(.browserFailed(reason: "gone"))
    try #require(lookups.isEmpty && resolvers.isEmpty)
  }

  private mutating func gracePeriodEnded() throws {
    isInGracePeriod = false
    try handle(.gracePeriodEnded)
  }

  private mutating func resolve(_ name: String, _ service: Service) throws {
    resolved[name] = service
    try handle(.resolved(name: name, service))
  }

  private mutating func advance(_ name: String, _ service: Service) throws {
    switch lookups[name] {
    case nil: return
    case .started: try resolve(name, service)
    case .addressing: try handle(.addressAppeared(name: name, Peer.ipv4))
    case .settling: try handle(.lookupSettled(name: name))
    case .retrying: try handle(.retryDue(name: name))
    }
  }

  private mutating func handle(_ event: DiscoveredInstances.Event) throws {
    for action in instances.handle(event) { try perform(action) }
    let running = lookups.values.filter { $0 != .retrying }.count
    try #require(running <= DiscoveredInstances.maximumLookups)
    try #require(
      resolvers.count <= DiscoveredInstances.maximumKeptResolvers
        + DiscoveredInstances.maximumLookups)
  }

  private mutating func perform(_ action: DiscoveredInstances.Action) throws {
    switch action {
    case .browse: try #require(!browserRuns)
    case .startGracePeriod: isInGracePeriod = true
    case .startLookup(let name, _):
      try #require(lookups.updateValue(.started, forKey: name) == nil)
    case .queryAddresses(let name, _):
      try #require(lookups.updateValue(.addressing, forKey: name) == .started)
    case .settleLookup(let name, _):
      try #require(lookups.updateValue(.settling, forKey: name) == .addressing)
    case .retryLookup(let name, _):
      try #require(lookups.updateValue(.retrying, forKey: name) == nil)
    case .endLookup(let name): try #require(lookups.removeValue(forKey: name) != nil)
    case .startResolver(let name): try #require(resolvers.insert(name).inserted)
    case .endResolver(let name):
      try #require(resolvers.remove(name) != nil)
      resolved[name] = nil
    case .emit(.found(let peer)):
      try #require(!peer.endpoints.isEmpty)
      try #require(reported.updateValue(peer, forKey: peer.name) != peer)
    case .emit(.lost(let name)): try #require(reported.removeValue(forKey: name) != nil)
    case .emit(.available):
      try #require(reportedAvailable != true)
      reportedAvailable = true
    case .emit(.unavailable):
      try #require(reportedAvailable != false)
      reportedAvailable = false
    }
  }
}
