import Dispatch
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

  /// As a name in .local is where libnss-mdns is installed, and any name where no name server answers.
  @Test("A name that is still being looked up at the end is told")
  func unfinished() async throws {
    struct Endless: NameLookup {
      let began = Watched(false)
      let end = DispatchSemaphore(value: 0)

      func lookUp(_ name: PeerReference) throws(LookupFailure) -> NameAnswer {
        began.update { $0 = true }
        end.wait()
        throw LookupFailure(isAbsence: true, reason: "the name is not known")
      }
    }
    let lookup = Endless()
    defer { lookup.end.signal() }
    let lines = Watched<[String]>([])
    let peers = NamedPeers(
      [.endpoint(Endpoint(host: "h9.local", port: 7))], by: lookup,
      logger: Logger(label: "test") { _ in LineLog(lines: lines) })
    let search = Task { for await _ in peers.events() {} }
    try await lookup.began.wait { $0 }
    #expect(lines.value == [])
    search.cancel()
    await search.value
    let told = "warning: h9.local:7 was not found: its lookup has not ended yet"
    #expect(lines.value.count == 1 && lines.value[0].hasPrefix(told), "\(lines.value)")
  }

  @Test("The system's resolver knows this machine's own name, and its addresses are literal")
  func system() throws {
    let answer = try SystemResolver().lookUp(.endpoint(Endpoint(host: "localhost", port: 7)))
    #expect(!answer.endpoints.isEmpty)
    #expect(answer.endpoints.allSatisfy { $0.hasLiteralHost && $0.port == 7 })
  }
}

/// Keeps what is logged.
private struct LineLog: LogHandler {
  let lines: Watched<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  func log(event: LogEvent) { lines.update { $0.append("\(event.level): \(event.message)") } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}
