import SkyNetCluster
import SkyNetCore
import Testing

@Suite("Fixed peers")
struct FixedPeersTests {
  @Test("Each fixed peer is found under its address")
  func addresses() async {
    let endpoints = [Endpoint(host: "a", port: 1), Endpoint(host: "::1", port: 2)]
    var events = FixedPeers(endpoints).events().makeAsyncIterator()
    #expect(await events.next() == .found(DiscoveredPeer(name: "a:1", endpoints: [endpoints[0]])))
    #expect(
      await events.next() == .found(DiscoveredPeer(name: "[::1]:2", endpoints: [endpoints[1]])))
  }
}
