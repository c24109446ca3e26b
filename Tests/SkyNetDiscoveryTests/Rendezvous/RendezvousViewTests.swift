import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("The nodes of a rendezvous directory that live")
struct RendezvousViewTests {
  private let a = Node("a")
  private let b = Node("b")
  private var view = RendezvousView(lifetime: .seconds(30))

  private struct Node {
    let name: String
    let id = Incarnation()

    init(_ name: String) { self.name = name }

    func seen(beat: Int, written: Double, port: Int = 7777) -> RendezvousView.Seen {
      let advertisement = Advertisement(
        name: name, port: port, slots: 4, incarnation: id, protocolVersion: 1)
      var entry = RendezvousEntry(advertisement, at: ["10.0.0.5"])
      entry.beat = beat
      return .init(entry: entry, written: written)
    }

    func found(port: Int = 7777) -> DiscoveryEvent {
      .found(seen(beat: 0, written: 0, port: port).entry.peer)
    }
  }

  private static func at(_ seconds: Int) -> Instant { Instant(sinceOrigin: .seconds(seconds)) }

  @Test("A node is found once, found again when it has changed, and lost with its file")
  mutating func life() {
    #expect(view.read([a.seen(beat: 0, written: 100)], at: Self.at(0)) == [a.found()])
    #expect(view.read([a.seen(beat: 1, written: 105)], at: Self.at(5)) == [])
    #expect(
      view.read([a.seen(beat: 2, written: 110, port: 7778)], at: Self.at(10))
        == [a.found(port: 7778)])
    #expect(view.read([], at: Self.at(12)) == [.lost(name: "a")])
  }

  @Test(
    "A node that does not renew its file is lost after its lifetime, and found when it does again")
  mutating func silence() {
    #expect(view.read([a.seen(beat: 0, written: 100)], at: Self.at(0)) == [a.found()])
    #expect(view.read([a.seen(beat: 0, written: 100)], at: Self.at(30)) == [])
    #expect(
      view.read([a.seen(beat: 0, written: 100)], at: Self.at(31)) == [.lost(name: "a")])
    #expect(view.read([a.seen(beat: 0, written: 100)], at: Self.at(60)) == [])
    #expect(view.read([a.seen(beat: 1, written: 161)], at: Self.at(61)) == [a.found()])
  }

  @Test("A file that is much older than others is not found before it is renewed")
  mutating func leftBehind() {
    let left = b.seen(beat: 7, written: 69)
    #expect(view.read([a.seen(beat: 0, written: 100), left], at: Self.at(0)) == [a.found()])
    #expect(view.read([a.seen(beat: 1, written: 105), left], at: Self.at(5)) == [])
    // Its clock was wrong, or its server's, but it lives.
    #expect(
      view.read(
        [a.seen(beat: 2, written: 110), b.seen(beat: 8, written: 75)], at: Self.at(10))
        == [b.found()])
  }

  @Test("Two nodes of one name are two peers")
  mutating func sameName() {
    let other = Node("a")
    #expect(view.read([a.seen(beat: 0, written: 100)], at: Self.at(0)) == [a.found()])
    var peer = other.seen(beat: 0, written: 100).entry.peer
    peer.name = "a (\(other.id.description.prefix(8)))"
    #expect(
      view.read(
        [a.seen(beat: 0, written: 100), other.seen(beat: 0, written: 100)], at: Self.at(2))
        == [.found(peer)])
    #expect(
      view.read([a.seen(beat: 1, written: 105)], at: Self.at(5)) == [.lost(name: peer.name)])
  }
}

@Suite("Files that dead nodes left in a rendezvous directory")
struct OldEntriesTests {
  @Test("A file is removed that is much older than this node's own at two looks")
  func old() {
    var entries = OldEntries(age: 300)
    #expect(entries.looked(["dead": 100, "alive": 400], own: 401) == [])
    #expect(entries.looked(["dead": 100, "alive": 455], own: 461) == ["dead"])
  }

  @Test("A file that is renewed stays, however wrong the clock of its server is")
  func renewed() {
    var entries = OldEntries(age: 300)
    for look in 0..<10 {
      let time = Double(look * 60)
      #expect(entries.looked(["slow clock": time], own: time + 4000) == [])
    }
  }
}
