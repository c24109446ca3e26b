import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Nodes that are reached through others")
struct RelayedNodesTests {
  private let relay = Hello(
    name: "login", incarnation: Incarnation(), slots: 4, timeout: .seconds(5), scans: [])
  private let endpoint = Endpoint(host: "login", port: 7777)

  private func node(_ name: String) -> RelayedNode {
    RelayedNode(name: name, incarnation: Incarnation(), fingerprint: "cead")
  }

  @Test("Nodes are found and lost as the peer that relays tells, two of one name too")
  func changes() async throws {
    let nodes = RelayedNodes(on: SerialQueueExecutor())
    var events = nodes.events().makeAsyncIterator()
    let (a, b) = (node("a"), node("a"))
    await nodes.update(relay, at: endpoint, [a])
    guard case .found(let first) = await events.next() else { return #expect(Bool(false)) }
    #expect(first.incarnation == a.incarnation && first.endpoints == [endpoint])
    #expect(first.relay == relay.incarnation && first.fingerprints == ["cead"])
    #expect(first.name.hasPrefix("a (") && first.name.hasSuffix(") through login:7777"))
    await nodes.update(relay, at: endpoint, [a, b])
    guard case .found(let second) = await events.next() else { return #expect(Bool(false)) }
    #expect(second.incarnation == b.incarnation && second.name != first.name)
    await nodes.update(relay, at: endpoint, [b])
    #expect(await events.next() == .lost(name: first.name))
    await nodes.update(relay, at: endpoint, [])
    #expect(await events.next() == .lost(name: second.name))
  }

  @Test(
    "What one peer tells changes nothing of what another one has told; who looks later sees all")
  func severalRelays() async {
    let other = Hello(
      name: "other", incarnation: Incarnation(), slots: 4, timeout: .seconds(5), scans: [])
    let nodes = RelayedNodes(on: SerialQueueExecutor())
    let shared = node("a")
    await nodes.update(relay, at: endpoint, [shared])
    await nodes.update(other, at: Endpoint(host: "other", port: 1), [shared])
    await nodes.update(other, at: Endpoint(host: "other", port: 1), [])
    var events = nodes.events().makeAsyncIterator()
    guard case .found(let peer) = await events.next() else { return #expect(Bool(false)) }
    #expect(peer.relay == relay.incarnation)
  }
}
