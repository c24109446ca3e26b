import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import TestSupport
import Testing

/// These tests use a real daemon. They run one at a time, as one of them ends the daemon, and each has another
/// service type, so that none sees another's nodes.
@Suite(
  "DNS-SD with a daemon", .serialized, .timeLimit(.minutes(20)),
  .enabled(Daemon.missing) { await Daemon.answers() })
struct DNSSDTests {
  @Test("A node is found with all that it advertises")
  func found() async throws {
    let dnssd = DNSSD(serviceType: "_skynet-t1._tcp")
    var events = dnssd.events().makeAsyncIterator()
    #expect(await events.next() == .available)
    let advertisement = Advertisement.node("Zoë’s node. 1", port: 4711)
    var node = Advertised(advertisement, by: dnssd)
    #expect(await node.next() == .registered(name: advertisement.name))
    let found = try #require(await events.next()?.peer)
    #expect(found.name == advertisement.name)
    #expect(found.incarnation == advertisement.incarnation)
    #expect(found.slots == 3)
    #expect(found.protocolVersion == 1)
    #expect(found.endpoints.allSatisfy { $0.port == 4711 })
    #expect(!found.endpoints.isEmpty)
    await node.withdraw()
    #expect(await events.next() == .lost(name: advertisement.name))
  }

  @Test("Two nodes of the same name are both found")
  func sameName() async throws {
    let dnssd = DNSSD(serviceType: "_skynet-t2._tcp")
    var nodes = (1...2).map { Advertised(.node("twin", port: $0), by: dnssd) }
    var names: Set<String> = []
    for index in nodes.indices {
      if case .registered(let name) = await nodes[index].next() { names.insert(name) }
    }
    #expect(names == ["twin", "twin #2"])
    var found: [String: Int] = [:]
    for await case .found(let peer) in dnssd.events() {
      found[peer.name] = peer.endpoints.first?.port
      if found.count == 2 { break }
    }
    #expect(Set(found.keys) == names)
    #expect(Set(found.values) == [1, 2])
    for node in nodes { await node.withdraw() }
  }

  @Test("A node that comes back is found again")
  func comesBack() async throws {
    let dnssd = DNSSD(serviceType: "_skynet-t3._tcp")
    var events = dnssd.events().makeAsyncIterator()
    #expect(await events.next() == .available)
    let old = Advertised(.node("phoenix", port: 1), by: dnssd)
    let first = try #require(await events.next()?.peer)
    await old.withdraw()
    let new = Advertised(.node("phoenix", port: 2), by: dnssd)
    // The node may be lost in between, depending on the daemon's speed.
    var peer: DiscoveredPeer?
    while peer == nil { peer = try #require(await events.next()).peer }
    #expect(peer?.name == first.name)
    #expect(peer?.endpoints.first?.port == 2)
    #expect(peer?.incarnation != first.incarnation)
    await new.withdraw()
  }

  @Test(
    "Nodes are registered and found again after a restart of the daemon",
    .enabled(if: PrivateAvahi.isThere, PrivateAvahi.missing))
  func daemonRestarts() async throws {
    let dnssd = DNSSD(serviceType: "_skynet-t4._tcp")
    var events = dnssd.events().makeAsyncIterator()
    #expect(await events.next() == .available)
    var stays = Advertised(.node("stays", port: 1), by: dnssd)
    #expect(await stays.next() == .registered(name: "stays"))
    #expect(try #require(await events.next()?.peer).name == "stays")
    let leaves = Advertised(.node("leaves", port: 2), by: dnssd)
    #expect(try #require(await events.next()?.peer).name == "leaves")

    try PrivateAvahi.restart()
    #expect(await events.next()?.isUnavailable == true)
    await leaves.withdraw()
    guard case .unavailable = await stays.next() else {
      Issue.record("the advertiser did not notice")
      return
    }
    #expect(await events.next() == .available)
    #expect(await stays.next() == .registered(name: "stays"))
    // The node that is still there is neither found again nor lost.
    #expect(await events.next() == .lost(name: "leaves"))

    let joins = Advertised(.node("joins", port: 3), by: dnssd)
    #expect(try #require(await events.next()?.peer).name == "joins")
    await stays.withdraw()
    #expect(await events.next() == .lost(name: "stays"))
    await joins.withdraw()
  }
}

@Suite(
  "DNS-SD without a daemon", .timeLimit(.minutes(20)),
  .enabled("an Avahi daemon is here") { await !Daemon.answers() })
struct NoDaemonTests {
  private static let reason =
    "no Avahi daemon answers (is avahi-daemon running? if it is missing, install avahi-daemon and "
    + "libavahi-compat-libdnssd1)"

  @Test("Discovery is unavailable, with the reason")
  func watching() async {
    var events = DNSSD().events().makeAsyncIterator()
    #expect(await events.next() == .unavailable(reason: Self.reason))
  }

  @Test("Advertising is unavailable, with the reason, and can be cancelled")
  func advertising() async {
    var node = Advertised(.node("a", port: 1), by: DNSSD())
    #expect(await node.next() == .unavailable(reason: Self.reason))
    await node.withdraw()
    #expect(await node.next() == nil)
  }
}

extension DiscoveryEvent {
  fileprivate var peer: DiscoveredPeer? {
    if case .found(let peer) = self { peer } else { nil }
  }

  fileprivate var isUnavailable: Bool {
    if case .unavailable = self { true } else { false }
  }
}
