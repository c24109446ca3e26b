import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("The addresses behind names")
struct NamedAddressesTests {
  private static let name = PeerReference.endpoint(Endpoint(host: "scan", port: 7777))
  private static let service = PeerReference.service("_skynet._tcp")
  private static let unknown = LookupFailure(isAbsence: true, reason: "the name is not known")
  private static let silent = LookupFailure(isAbsence: false, reason: "no name server answers")

  private func endpoint(_ host: String) -> Endpoint { Endpoint(host: host, port: 7777) }

  private func answer(_ hosts: String..., for lifetime: Duration? = nil) -> NameAnswer {
    NameAnswer(endpoints: hosts.map(endpoint), lifetime: lifetime)
  }

  private func found(_ host: String) -> DiscoveryEvent {
    .found(DiscoveredPeer(name: "\(host):7777", endpoints: [endpoint(host)]))
  }

  private func lost(_ host: String) -> DiscoveryEvent { .lost(name: "\(host):7777") }

  @Test("Each address of a name is a peer; those that appear are found, those that vanish are lost")
  func changes() {
    var addresses = NamedAddresses()
    #expect(
      addresses.answered(Self.name, answer("10.0.0.1", "10.0.0.2"))
        == .init(
          events: [found("10.0.0.1"), found("10.0.0.2")],
          line: .info("scan:7777 is 10.0.0.1:7777, 10.0.0.2:7777"), wait: NamedAddresses.usual))
    #expect(
      addresses.answered(Self.name, answer("10.0.0.1", "10.0.0.2"))
        == .init(wait: NamedAddresses.usual))
    #expect(
      addresses.answered(Self.name, answer("10.0.0.2", "10.0.0.3")).events
        == [lost("10.0.0.1"), found("10.0.0.3")])
  }

  @Test("An address that two names lead to is found once, and lost with the last of them")
  func shared() {
    var addresses = NamedAddresses()
    #expect(addresses.answered(Self.name, answer("10.0.0.1")).events == [found("10.0.0.1")])
    #expect(addresses.answered(Self.service, answer("10.0.0.1")).events == [])
    #expect(addresses.failed(Self.name, Self.unknown).events == [])
    #expect(addresses.failed(Self.service, Self.unknown).events == [lost("10.0.0.1")])
  }

  @Test("A name server that does not answer loses no peer; one that knows no such name does")
  func failures() {
    var addresses = NamedAddresses()
    _ = addresses.answered(Self.name, answer("10.0.0.1"))
    #expect(addresses.failed(Self.name, Self.silent).events == [])
    #expect(addresses.failed(Self.name, Self.unknown).events == [lost("10.0.0.1")])
  }

  @Test("A fault is told once while it lasts, and tried again after twice as long, up to 30 s")
  func backoff() {
    var addresses = NamedAddresses()
    let steps = (0..<7).map { _ in addresses.failed(Self.name, Self.unknown) }
    #expect(steps.map(\.wait) == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    let warning = "scan:7777 cannot be looked up: the name is not known; trying again"
    #expect(steps.map(\.line) == [.warning(warning)] + Array(repeating: nil, count: 6))
    #expect(addresses.failed(Self.name, Self.silent).line != nil)
    #expect(addresses.answered(Self.name, answer("10.0.0.1")).line != nil)
    let again = addresses.failed(Self.name, Self.unknown)
    #expect(again.line == .warning(warning))
    #expect(again.wait == .seconds(1))
  }

  @Test("A name whose first lookup has not ended at the end is told, and nothing later is")
  func unfinished() {
    var addresses = NamedAddresses()
    _ = addresses.answered(Self.name, answer("10.0.0.1"))
    _ = addresses.failed(Self.service, Self.silent)
    let (local, other) = (
      PeerReference.endpoint(Endpoint(host: "h9.local", port: 7)),
      PeerReference.service("_b._tcp.x")
    )
    #expect(
      addresses.ended([Self.name, local, Self.service, other, local]) == [
        "h9.local:7 was not found: its lookup has not ended yet (a name in .local is known only where "
          + "libnss-mdns is installed, while its machine is up)",
        "_b._tcp.x was not found: its lookup has not ended yet",
      ])
    #expect(addresses.failed(local, Self.unknown).line == nil)
    #expect(addresses.answered(other, answer("10.0.0.2")).line == nil)
  }

  @Test(
    "A name is looked up again when its records' life is over, after 1 s at least and 30 s at most")
  func lifetimes() {
    var addresses = NamedAddresses()
    for (lifetime, wait) in [(0, 1), (1, 1), (7, 7), (30, 30), (86_400, 30)] {
      let step = addresses.answered(Self.name, answer("10.0.0.1", for: .seconds(lifetime)))
      #expect(step.wait == .seconds(wait))
    }
  }
}
