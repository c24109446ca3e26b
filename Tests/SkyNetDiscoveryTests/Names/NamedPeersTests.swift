import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetDiscovery

@Suite("Named peers", .timeLimit(.minutes(20)))
struct NamedPeersTests {
  /// Answers with what a test sets, and counts the lookups.
  private struct TestLookup: NameLookup {
    let answers = Watched<[PeerReference: NameAnswer]>([:])
    let asked = Watched<[PeerReference]>([])

    func lookUp(_ name: PeerReference) throws(LookupFailure) -> NameAnswer {
      asked.update { $0.append(name) }
      guard let answer = answers.value[name] else {
        throw LookupFailure(isAbsence: true, reason: "the name is not known")
      }
      return answer
    }
  }

  private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test("A literal address is found at once, and never looked up")
  func literals() async throws {
    let lookup = TestLookup()
    let place = Endpoint(host: "::1", port: 2)
    var events = NamedPeers([.endpoint(place)], by: lookup, logger: quiet).events()
      .makeAsyncIterator()
    #expect(
      await events.next() == .found(DiscoveredPeer(name: "[::1]:2", endpoints: [place])))
    #expect(lookup.asked.value.isEmpty)
  }

  @Test("A name that is not known is looked up again until it is, and then again for changes")
  func repeats() async throws {
    let lookup = TestLookup()
    let name = PeerReference.service("_skynet._tcp")
    var events = NamedPeers([name], by: lookup, logger: quiet).events().makeAsyncIterator()
    try await lookup.asked.wait { !$0.isEmpty }
    for port in [7000, 7001] {
      let place = Endpoint(host: "10.0.0.1", port: port)
      lookup.answers.update {
        $0[name] = NameAnswer(endpoints: [place], lifetime: .seconds(1))
      }
      if port == 7001 { #expect(await events.next() == .lost(name: "10.0.0.1:7000")) }
      #expect(
        await events.next()
          == .found(DiscoveredPeer(name: place.description, endpoints: [place])))
    }
  }

  @Test("The system's resolver knows this machine's own name, and its addresses are literal")
  func system() throws {
    let answer = try SystemResolver().lookUp(.endpoint(Endpoint(host: "localhost", port: 7)))
    #expect(!answer.endpoints.isEmpty)
    #expect(answer.endpoints.allSatisfy { $0.hasLiteralHost && $0.port == 7 })
  }
}
