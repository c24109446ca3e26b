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
    _ = table.handle(.resolved(name: name, host: "h.local.", port: port, text: text))
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
        .startLookup(name: "a", within: SightingTable.lookupTimeout)
      ])
    #expect(
      table.handle(.resolved(name: "a", host: "h.local.", port: 4711, text: text)) == [
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
        .endLookup(name: "a"), .emit(.found(sighting)), .watchText(name: "a"),
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
      table.handle(.instanceRemoved(name: "a", interface: 1)) == [.endLookup(name: "a")])
  }

  @Test mutating func isFoundOnceHoweverOftenItIsAdded() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    #expect(
      table.handle(.instanceAdded(name: "a", interface: 2)) == [
        .startLookup(name: "a", within: SightingTable.lookupTimeout)
      ])
    #expect(find("a", text: text) == [.endLookup(name: "a")])
  }

  @Test mutating func aLookupThatFailsIsTriedAgainMoreSlowly() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    for seconds in [1, 2, 4] {
      #expect(
        table.handle(.lookupFailed(name: "a")) == [
          .endLookup(name: "a"), .retryLookup(name: "a", after: .seconds(seconds)),
        ])
      #expect(
        table.handle(.retryFellDue(name: "a")) == [
          .endLookup(name: "a"), .startLookup(name: "a", within: SightingTable.lookupTimeout),
        ])
    }
    #expect(find("a", text: text).contains { $0.isFound })
  }

  @Test mutating func anAddressTakenBackIsNotTold() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    _ = table.handle(.resolved(name: "a", host: "h.local.", port: 1, text: text))
    _ = table.handle(.addressAppeared(name: "a", Peer.ipv4))
    _ = table.handle(.addressDisappeared(name: "a", Peer.ipv4))
    #expect(
      table.handle(.lookupSettled(name: "a")) == [
        .endLookup(name: "a"), .retryLookup(name: "a", after: .seconds(1)),
      ])
  }

  @Test mutating func aRestartUnderTheSameNameIsNoticedByItsText() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", port: 1, text: text)
    #expect(table.handle(.textSeen(name: "a", text)) == [])
    let reborn = Peer.text(incarnation: Incarnation())
    #expect(
      table.handle(.textSeen(name: "a", reborn)) == [
        .startLookup(name: "a", within: SightingTable.lookupTimeout)
      ])
    let found = find("a", port: 2, text: reborn).compactMap(\.found)
    #expect(found.map(\.incarnation) == [reborn.incarnation])
    #expect(found.map(\.endpoints.first?.port) == [2])
  }

  @Test mutating func aTextSeenDuringALookupIsLookedUpOnceMore() {
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    find("a", text: text)
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    let reborn = Peer.text(incarnation: Incarnation())
    #expect(table.handle(.textSeen(name: "a", reborn)) == [])
    #expect(
      find("a", text: text).contains(
        .startLookup(name: "a", within: SightingTable.lookupTimeout)))
    #expect(find("a", text: reborn).compactMap(\.found).count == 1)
  }

  @Test mutating func onlySoManyLookupsRunAtOnce() {
    let names = (0..<20).map { "node \($0)" }
    let started = names.flatMap { table.handle(.instanceAdded(name: $0, interface: 1)) }
    #expect(started.count == SightingTable.maximumLookups)
    let actions = table.handle(.lookupFailed(name: names[0]))
    #expect(
      actions.last
        == .startLookup(
          name: names[SightingTable.maximumLookups], within: SightingTable.lookupTimeout))
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
        .unwatchText(name: "a"), .endLookup(name: "b"), .emit(.unavailable(reason: "gone")),
        .browse(after: .milliseconds(500)),
      ])
    #expect(
      table.handle(.browserStarted) == [
        .emit(.available), .awaitAnswers(SightingTable.answersTime),
      ])
    _ = table.handle(.instanceAdded(name: "a", interface: 1))
    // The same as before: nobody needs to be told.
    #expect(find("a", text: text) == [.endLookup(name: "a"), .watchText(name: "a")])
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
}

extension SightingTable.Action {
  var found: Sighting? {
    if case .emit(.found(let sighting)) = self { sighting } else { nil }
  }

  var isFound: Bool { found != nil }
}
