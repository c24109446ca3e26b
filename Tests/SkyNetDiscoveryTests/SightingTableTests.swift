import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite struct SightingTableTests {
  private var table = SightingTable()
  private let text = Peer.text(incarnation: Incarnation())

  init() { _ = table.handle(.browserStarted) }

  /// Has `name` looked up and found; gives the actions after the last event.
  @discardableResult
  private mutating func find(
    _ name: String, port: Int = 1, text: TXTRecord, address: PeerAddress = Peer.ipv4
  ) -> [SightingTable.Action] {
    _ = table.handle(.resolved(name: name, Peer.service(port: port, text)))
    _ = table.handle(.addressAppeared(name: name, address))
    return table.handle(.lookupSettled(name: name))
  }

  @Test func saysOnceThatItIsAvailable() {
    var table = SightingTable()
    #expect(table.handle(.browserStarted) == [.emit(.available)])
  }

  @Test func saysOnceThatItIsUnavailableAndTriesAgainMoreSlowly() {
    var table = SightingTable()
    #expect(
      table.handle(.browserFailed(reason: "no daemon")) == [
        .emit(.unavailable(reason: "no daemon")), .browse(after: .milliseconds(500)),
      ])
    #expect(
      table.handle(.browserFailed(reason: "no daemon")) == [.browse(after: .seconds(1))])
    #expect(table.handle(.browserStarted) == [.emit(.available)])
  }

  @Test mutating func aNameIsLookedUpAndFound() {
    #expect(
      table.handle(.instanceAdded(name: "a", interface: 1)) == [
        .startLookup(name: "a", within: SightingTable.lookupTimeout), .startResolver(name: "a"),
      ])
    #expect(
      table.handle(.resolved(name: "a", Peer.service(port: 4711, text))) == [
        .queryAddresses(name: "a", host: "h.local.")
      ])
    #expect(
      table.handle(.addressAppeared(name: "a", Peer.ipv6)) == [
        .settleLookup(name: "a", after: SightingTable.settleTime)
      ])
    #expect(table.handle(.addressAppeared(name: "a", Peer.ipv4)) == [])
    let sighting = Sighting(
      name: "a",
      endpoints: [Endpoint(host: "192.0.2.1", port: 4711), Endpoint(host: "2001::1", port: 4711)],
      incarnation: text.incarnation, slots: 2, protocolVersion: 1)
    #expect(
      table.handle(.lookupSettled(name: "a")) == [
        .endLookup(name: "a"), .emit(.found(sighting)),
      ])
  }

  @Test mutating func isLostWithItsLastReference() {
    for interface: UInt32 in [1, 1, 2] {
      _ = table.handle(.instanceAdded(name: "a", interface: interface))
    }
    find("a", text: text)
    for interface: UInt32 in [1, 2] {
      let actions = table.handle(.instanceRemoved(name: "a", interface: interface))
      #expect(!actions.contains(.emit(.lost(name: "a"))))
    }
    #expect(
      table.handle(.instanceRemoved(name: "a", interface: 1)).contains(.emit(.lost(name: "a"))))
    #expect(table.handle(.instanceRemoved(name: "a", interface: 1)) == [])
  }

  @Test mutating func whatWasNeverFoundIsNotLost() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    #expect(
      table.handle(.instanceRemoved(name: "a", interface: 1)) == [
        .endLookup(name: "a"), .endResolver(name: "a"),
      ])
  }

  @Test mutating func isFoundOnceHoweverOftenItIsAdded() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    #expect(
      table.handle(.instanceAdded(name: "a", interface: 2)) == [
        .startLookup(name: "a", within: SightingTable.lookupTimeout),
        .queryAddresses(name: "a", host: "h.local."),
      ])
    #expect(find("a", text: text) == [.endLookup(name: "a")])
  }

  @Test mutating func aLookupThatFailsIsTriedAgainMoreSlowly() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    for seconds in [1, 2, 4] {
      #expect(
        table.handle(.lookupFailed(name: "a")) == [
          .endLookup(name: "a"), .endResolver(name: "a"),
          .retryLookup(name: "a", after: .seconds(seconds)),
        ])
      #expect(
        table.handle(.retryFellDue(name: "a")) == [
          .endLookup(name: "a"), .startLookup(name: "a", within: SightingTable.lookupTimeout),
          .startResolver(name: "a"),
        ])
    }
    #expect(find("a", text: text).contains { $0.isFound })
  }

  @Test mutating func anAddressTakenBackIsNotTold() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    _ = table.handle(.resolved(name: "a", Peer.service(text)))
    _ = table.handle(.addressAppeared(name: "a", Peer.ipv4))
    _ = table.handle(.addressDisappeared(name: "a", Peer.ipv4))
    #expect(
      table.handle(.lookupSettled(name: "a")) == [
        .endLookup(name: "a"), .endResolver(name: "a"), .retryLookup(name: "a", after: .seconds(1)),
      ])
  }

  @Test(arguments: [(1, true), (2, false), (2, true)])
  mutating func aRestartUnderTheSameNameIsNoticed(port: Int, isReborn: Bool) {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", port: 1, text: text)
    #expect(table.handle(.resolved(name: "a", Peer.service(port: 1, text))) == [])
    let now = isReborn ? Peer.text(incarnation: Incarnation()) : text
    #expect(
      table.handle(.resolved(name: "a", Peer.service(port: port, now))) == [
        .startLookup(name: "a", within: SightingTable.lookupTimeout),
        .queryAddresses(name: "a", host: "h.local."),
      ])
    let found = find("a", port: port, text: now).compactMap(\.found)
    #expect(found.map(\.incarnation) == [now.incarnation])
    #expect(found.map(\.endpoints.first?.port) == [port])
  }

  @Test mutating func whatIsResolvedAnewDuringALookupCounts() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    _ = table.handle(.resolved(name: "a", Peer.service(port: 1, text)))
    _ = table.handle(.addressAppeared(name: "a", Peer.ipv4))
    #expect(
      table.handle(.resolved(name: "a", Peer.service(port: 2, text))) == [
        .endLookup(name: "a"),
        .startLookup(name: "a", within: SightingTable.lookupTimeout),
        .queryAddresses(name: "a", host: "h.local."),
      ])
    _ = table.handle(.addressAppeared(name: "a", Peer.ipv4))
    let found = table.handle(.lookupSettled(name: "a")).compactMap(\.found)
    #expect(found.map(\.endpoints.first?.port) == [2])
  }

  @Test mutating func aResolverThatFailsLaterIsStartedAgainAndNothingIsLost() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    #expect(
      table.handle(.resolverFailed(name: "a")) == [
        .endResolver(name: "a"), .retryLookup(name: "a", after: .seconds(1)),
      ])
    #expect(table.handle(.retryFellDue(name: "a")).contains(.startResolver(name: "a")))
    #expect(find("a", text: text) == [.endLookup(name: "a")])
  }

  @Test mutating func onlySoManyResolversAreKept() {
    let names = (0...SightingTable.maximumKeptResolvers).map { "node \($0)" }
    for (index, name) in names.enumerated() {
      _ = table.handle(.instanceAdded(name: name, interface: 1))
      let actions = table.handle(.resolved(name: name, Peer.service(text)))
      let isKept = index < SightingTable.maximumKeptResolvers
      #expect(actions.contains(.endResolver(name: name)) == !isKept)
      _ = table.handle(.addressAppeared(name: name, Peer.ipv4))
      #expect(table.handle(.lookupSettled(name: name)).contains { $0.isFound })
    }
  }

  @Test mutating func onlySoManyLookupsRunAtOnce() {
    let names = (0..<20).map { "node \($0)" }
    let started = names.flatMap { table.handle(.instanceAdded(name: $0, interface: 1)) }
    #expect(started.filter(\.isLookup).count == SightingTable.maximumLookups)
    let actions = table.handle(.lookupFailed(name: names[0]))
    #expect(actions.last == .startResolver(name: names[SightingTable.maximumLookups]))
    // One that waits its turn is forgotten without a trace.
    #expect(table.handle(.instanceRemoved(name: names[19], interface: 1)) == [])
  }
}

// MARK: A daemon that goes and comes

extension SightingTableTests {
  @Test mutating func whatWasSightedOutlivesTheDaemon() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    _ = table.handle(.instanceAdded(name: "b", interface: 1))
    #expect(
      table.handle(.browserFailed(reason: "gone")) == [
        .endResolver(name: "a"), .endLookup(name: "b"), .endResolver(name: "b"),
        .emit(.unavailable(reason: "gone")), .browse(after: .milliseconds(500)),
      ])
    #expect(
      table.handle(.browserStarted) == [
        .emit(.available), .awaitAnswers(SightingTable.answersTime),
      ])
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    // The same as before: nobody needs to be told.
    #expect(find("a", text: text) == [.endLookup(name: "a")])
    #expect(table.handle(.answersAwaited) == [])
  }

  @Test mutating func whatANewDaemonDoesNotKnowIsLost() {
    for name in ["a", "b"] {
      _ = table.handle(.instanceAdded(name: name, interface: 1))
      find(name, text: text)
    }
    _ = table.handle(.browserFailed(reason: "gone"))
    _ = table.handle(.browserStarted)
    _ = table.handle(.instanceAdded(name: "b", interface: 1))
    #expect(table.handle(.answersAwaited) == [.emit(.lost(name: "a"))])
    #expect(table.handle(.answersAwaited) == [])
  }

  @Test mutating func nothingIsLostWhileNoDaemonAnswers() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    _ = table.handle(.browserFailed(reason: "gone"))
    #expect(table.handle(.answersAwaited) == [])
  }
}

/// What peers are made of in these tests.
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

extension SightingTable.Action {
  var found: Sighting? {
    if case .emit(.found(let sighting)) = self { sighting } else { nil }
  }

  var isFound: Bool { found != nil }

  var isLookup: Bool {
    if case .startLookup = self { true } else { false }
  }
}
