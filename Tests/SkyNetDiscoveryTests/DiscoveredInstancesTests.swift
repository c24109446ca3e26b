import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("Discovered instances") struct DiscoveredInstancesTests {
  private var instances = DiscoveredInstances()
  private let text = Peer.text(incarnation: Incarnation())

  init() { _ = instances.handle(.browserStarted) }

  /// Makes the lookup of `name` succeed. Returns the actions after the last event.
  @discardableResult
  private mutating func find(
    _ name: String, port: Int = 1, text: TXTRecord, address: PeerAddress = Peer.ipv4
  ) -> [DiscoveredInstances.Action] {
    _ = instances.handle(.resolved(name: name, Peer.service(port: port, text)))
    _ = instances.handle(.addressAppeared(name: name, address))
    return instances.handle(.lookupSettled(name: name))
  }

  @Test("A browser that starts makes discovery available")
  func available() {
    var instances = DiscoveredInstances()
    #expect(instances.handle(.browserStarted) == [.emit(.available)])
  }

  @Test("A browser that fails is reported once, and retried at growing intervals")
  func unavailable() {
    var instances = DiscoveredInstances()
    #expect(
      instances.handle(.browserFailed(reason: "no daemon")) == [
        .emit(.unavailable(reason: "no daemon")), .browse(after: .milliseconds(500)),
      ])
    #expect(
      instances.handle(.browserFailed(reason: "no daemon")) == [.browse(after: .seconds(1))])
    #expect(instances.handle(.browserStarted) == [.emit(.available)])
  }

  @Test(
    "An instance with a name that no node can have is not looked up",
    arguments: ["a\u{9B}", "a\u{202E}b"])
  mutating func refused(name: String) {
    #expect(instances.handle(.instanceAdded(name: name, interface: 1)) == [])
    #expect(instances.handle(.instanceRemoved(name: name, interface: 1)) == [])
  }

  @Test("A name is looked up and found")
  mutating func found() {
    #expect(
      instances.handle(.instanceAdded(name: "a", interface: 1)) == [
        .startLookup(name: "a", within: DiscoveredInstances.lookupTimeout),
        .startResolver(name: "a"),
      ])
    #expect(
      instances.handle(.resolved(name: "a", Peer.service(port: 4711, text))) == [
        .queryAddresses(name: "a", host: "h.local.")
      ])
    #expect(
      instances.handle(.addressAppeared(name: "a", Peer.ipv6)) == [
        .settleLookup(name: "a", after: DiscoveredInstances.settleTime)
      ])
    #expect(instances.handle(.addressAppeared(name: "a", Peer.ipv4)) == [])
    let peer = DiscoveredPeer(
      name: "a",
      endpoints: [Endpoint(host: "192.0.2.1", port: 4711), Endpoint(host: "2001::1", port: 4711)],
      incarnation: text.incarnation, slots: 2, protocolVersion: 1)
    #expect(
      instances.handle(.lookupSettled(name: "a")) == [
        .endLookup(name: "a"), .emit(.found(peer)),
      ])
  }

  @Test("An instance is lost with its last reference")
  mutating func lost() {
    for interface: UInt32 in [1, 1, 2] {
      _ = instances.handle(.instanceAdded(name: "a", interface: interface))
    }
    find("a", text: text)
    for interface: UInt32 in [1, 2] {
      let actions = instances.handle(.instanceRemoved(name: "a", interface: interface))
      #expect(!actions.contains(.emit(.lost(name: "a"))))
    }
    #expect(
      instances.handle(.instanceRemoved(name: "a", interface: 1)).contains(.emit(.lost(name: "a"))))
    #expect(instances.handle(.instanceRemoved(name: "a", interface: 1)) == [])
  }

  @Test("An instance that was never found is not lost")
  mutating func neverFound() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    #expect(
      instances.handle(.instanceRemoved(name: "a", interface: 1)) == [
        .endLookup(name: "a"), .endResolver(name: "a"),
      ])
  }

  @Test("An instance that is added again is not found again")
  mutating func foundOnce() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    #expect(
      instances.handle(.instanceAdded(name: "a", interface: 2)) == [
        .startLookup(name: "a", within: DiscoveredInstances.lookupTimeout),
        .queryAddresses(name: "a", host: "h.local."),
      ])
    #expect(find("a", text: text) == [.endLookup(name: "a")])
  }

  @Test("A peer that is not reached is looked up again, and found where its host is now")
  mutating func unreachable() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    #expect(instances.handle(.peerUnreachable(name: "a")) == [], "it is looked up already")
    find("a", text: text)
    #expect(
      instances.handle(.peerUnreachable(name: "a")) == [
        .startLookup(name: "a", within: DiscoveredInstances.lookupTimeout),
        .queryAddresses(name: "a", host: "h.local."),
      ])
    _ = instances.handle(.addressAppeared(name: "a", Peer.ipv6))
    let actions = instances.handle(.lookupSettled(name: "a"))
    guard case .emit(.found(let peer))? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(peer.endpoints == [Endpoint(host: Peer.ipv6.host, port: 1)])
    #expect(instances.handle(.peerUnreachable(name: "b")) == [], "it is not there any more")
  }

  @Test("A lookup that fails is retried at growing intervals")
  mutating func lookupFails() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    for seconds in [1, 2, 4] {
      #expect(
        instances.handle(.lookupFailed(name: "a")) == [
          .endLookup(name: "a"), .endResolver(name: "a"),
          .retryLookup(name: "a", after: .seconds(seconds)),
        ])
      #expect(
        instances.handle(.retryDue(name: "a")) == [
          .endLookup(name: "a"), .startLookup(name: "a", within: DiscoveredInstances.lookupTimeout),
          .startResolver(name: "a"),
        ])
    }
    #expect(find("a", text: text).contains { $0.isFound })
  }

  @Test("An address that was withdrawn is not reported")
  mutating func addressWithdrawn() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    _ = instances.handle(.resolved(name: "a", Peer.service(text)))
    _ = instances.handle(.addressAppeared(name: "a", Peer.ipv4))
    _ = instances.handle(.addressDisappeared(name: "a", Peer.ipv4))
    #expect(
      instances.handle(.lookupSettled(name: "a")) == [
        .endLookup(name: "a"), .endResolver(name: "a"), .retryLookup(name: "a", after: .seconds(1)),
      ])
  }

  @Test("A restart under the same name is noticed", arguments: [(1, true), (2, false), (2, true)])
  mutating func restart(port: Int, isReborn: Bool) {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    find("a", port: 1, text: text)
    #expect(instances.handle(.resolved(name: "a", Peer.service(port: 1, text))) == [])
    let now = isReborn ? Peer.text(incarnation: Incarnation()) : text
    #expect(
      instances.handle(.resolved(name: "a", Peer.service(port: port, now))) == [
        .startLookup(name: "a", within: DiscoveredInstances.lookupTimeout),
        .queryAddresses(name: "a", host: "h.local."),
      ])
    let found = find("a", port: port, text: now).compactMap(\.found)
    #expect(found.map(\.incarnation) == [now.incarnation])
    #expect(found.map(\.endpoints.first?.port) == [port])
  }

  @Test("A new answer of the resolver during a lookup counts")
  mutating func resolvedAgain() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    _ = instances.handle(.resolved(name: "a", Peer.service(port: 1, text)))
    _ = instances.handle(.addressAppeared(name: "a", Peer.ipv4))
    #expect(
      instances.handle(.resolved(name: "a", Peer.service(port: 2, text))) == [
        .endLookup(name: "a"),
        .startLookup(name: "a", within: DiscoveredInstances.lookupTimeout),
        .queryAddresses(name: "a", host: "h.local."),
      ])
    _ = instances.handle(.addressAppeared(name: "a", Peer.ipv4))
    let found = instances.handle(.lookupSettled(name: "a")).compactMap(\.found)
    #expect(found.map(\.endpoints.first?.port) == [2])
  }

  @Test("A kept resolver that fails is started again, and nothing is lost")
  mutating func resolverFails() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    #expect(
      instances.handle(.resolverFailed(name: "a")) == [
        .endResolver(name: "a"), .retryLookup(name: "a", after: .seconds(1)),
      ])
    #expect(instances.handle(.retryDue(name: "a")).contains(.startResolver(name: "a")))
    #expect(find("a", text: text) == [.endLookup(name: "a")])
  }

  @Test("The number of kept resolvers is bounded")
  mutating func keptResolvers() {
    let names = (0...DiscoveredInstances.maximumKeptResolvers).map { "node \($0)" }
    for (index, name) in names.enumerated() {
      _ = instances.handle(.instanceAdded(name: name, interface: 1))
      let actions = instances.handle(.resolved(name: name, Peer.service(text)))
      let isKept = index < DiscoveredInstances.maximumKeptResolvers
      #expect(actions.contains(.endResolver(name: name)) == !isKept)
      _ = instances.handle(.addressAppeared(name: name, Peer.ipv4))
      #expect(instances.handle(.lookupSettled(name: name)).contains { $0.isFound })
    }
  }

  @Test("The number of concurrent lookups is bounded")
  mutating func lookups() {
    let names = (0..<20).map { "node \($0)" }
    let started = names.flatMap { instances.handle(.instanceAdded(name: $0, interface: 1)) }
    #expect(started.filter(\.isLookup).count == DiscoveredInstances.maximumLookups)
    let actions = instances.handle(.lookupFailed(name: names[0]))
    #expect(actions.last == .startResolver(name: names[DiscoveredInstances.maximumLookups]))
    // An instance whose lookup has not begun is removed without an action.
    #expect(instances.handle(.instanceRemoved(name: names[19], interface: 1)) == [])
  }
}

// MARK: A daemon that goes and comes

extension DiscoveredInstancesTests {
  @Test("Peers that were found outlive the daemon")
  mutating func daemonEnds() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    _ = instances.handle(.instanceAdded(name: "b", interface: 1))
    #expect(
      instances.handle(.browserFailed(reason: "gone")) == [
        .endResolver(name: "a"), .endLookup(name: "b"), .endResolver(name: "b"),
        .emit(.unavailable(reason: "gone")), .browse(after: .milliseconds(500)),
      ])
    #expect(
      instances.handle(.browserStarted) == [
        .emit(.available), .startGracePeriod(DiscoveredInstances.gracePeriod),
      ])
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    // The peer has not changed, so it is not reported again.
    #expect(find("a", text: text) == [.endLookup(name: "a")])
    #expect(instances.handle(.gracePeriodEnded) == [])
  }

  @Test("Peers that a new daemon does not find are lost")
  mutating func daemonRestarts() {
    for name in ["a", "b"] {
      _ = instances.handle(.instanceAdded(name: name, interface: 1))
      find(name, text: text)
    }
    _ = instances.handle(.browserFailed(reason: "gone"))
    _ = instances.handle(.browserStarted)
    _ = instances.handle(.instanceAdded(name: "b", interface: 1))
    #expect(instances.handle(.gracePeriodEnded) == [.emit(.lost(name: "a"))])
    #expect(instances.handle(.gracePeriodEnded) == [])
  }

  @Test("Nothing is lost while there is no daemon")
  mutating func noDaemon() {
    _ = instances.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    _ = instances.handle(.browserFailed(reason: "gone"))
    #expect(instances.handle(.gracePeriodEnded) == [])
  }
}

/// Addresses and records of peers for these tests.
enum Peer {
  static let ipv4 = PeerAddress(bytes: [192, 0, 2, 1], interfaceName: "eth0")!
  static let ipv6 = PeerAddress(
    bytes: [0x20, 0x01] + [UInt8](repeating: 0, count: 13) + [1], interfaceName: "eth0")!

  static func text(incarnation: Incarnation) -> TXTRecord {
    TXTRecord(
      Advertisement(
        name: "any", port: 1, slots: 2, incarnation: incarnation, protocolVersion: 1))
  }

  static func service(port: Int = 1, _ text: TXTRecord) -> Service {
    Service(host: "h.local.", port: port, text: text)
  }
}

extension DiscoveredInstances.Action {
  var found: DiscoveredPeer? {
    if case .emit(.found(let peer)) = self { peer } else { nil }
  }

  var isFound: Bool { found != nil }

  var isLookup: Bool {
    if case .startLookup = self { true } else { false }
  }
}
