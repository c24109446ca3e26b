import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("TXT records") struct TXTRecordTests {
  private static let advertisement = Advertisement(
    name: "a", port: 1, slots: 4, incarnation: Incarnation(), protocolVersion: 7,
    fingerprints: ["0123456789abcdef"])

  private static func record(_ strings: String...) -> TXTRecord {
    TXTRecord(bytes: strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
  }

  @Test("A record holds what was advertised")
  func roundTrip() {
    let record = TXTRecord(bytes: TXTRecord(Self.advertisement).bytes)
    #expect(record.incarnation == Self.advertisement.incarnation)
    #expect(record.slots == 4)
    #expect(record.protocolVersion == 7)
    #expect(record.fingerprints == ["0123456789abcdef"])
  }

  @Test("A record has no other keys")
  func keys() {
    let keys = TXTRecord(Self.advertisement).strings.map { string in
      String(decoding: string.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
    #expect(keys == ["txtvers", "proto", "slots", "incarn", "keys"])
  }

  @Test("A node without encryption advertises no fingerprint")
  func noFingerprint() {
    var advertisement = Self.advertisement
    advertisement.fingerprints = []
    #expect(TXTRecord(advertisement)["keys"] == nil)
    #expect(TXTRecord(advertisement).fingerprints == [])
    var peer = DiscoveredPeer(name: "a", endpoints: [], protocolVersion: 1)
    #expect(peer.mayBelong(to: []) && !peer.mayBelong(to: ["x"]))
    peer.fingerprints = ["x"]
    #expect(!peer.mayBelong(to: []) && peer.mayBelong(to: ["x"]))
    // Nothing was advertised, so only a connection shows.
    peer.protocolVersion = nil
    #expect(peer.mayBelong(to: ["y"]))
  }

  @Test("A node with several keys advertises all of them, newest first")
  func severalKeys() {
    var advertisement = Self.advertisement
    advertisement.fingerprints = ["3333333333333333", "2222222222222222", "0123456789abcdef"]
    let record = TXTRecord(advertisement)
    #expect(record.fingerprints == advertisement.fingerprints)
    let peer = DiscoveredPeer(
      name: "a", endpoints: [], protocolVersion: 1, fingerprints: record.fingerprints)
    for key in peer.fingerprints { #expect(peer.mayBelong(to: ["1111111111111111", key])) }
    #expect(!peer.mayBelong(to: ["1111111111111111"]) && !peer.mayBelong(to: []))
    // Anybody can advertise a long list.
    let long = "txtvers=1|keys=" + (0..<50).map { "\($0)" }.joined(separator: ",")
    let strings = long.split(separator: "|").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    #expect(TXTRecord(bytes: strings).fingerprints.count == 4)
  }

  @Test("A record begins with its version")
  func version() {
    #expect(TXTRecord(Self.advertisement).bytes.starts(with: [9] + Array("txtvers=1".utf8)))
  }

  @Test("The largest record stays below its limit")
  func size() {
    var advertisement = Self.advertisement
    advertisement.slots = .max
    advertisement.protocolVersion = .max
    advertisement.fingerprints = (1...4).map { String(repeating: "\($0)", count: 16) }
    let record = TXTRecord(advertisement)
    #expect(record.bytes.count <= TXTRecord.maximumBytes)
    for string in record.strings {
      #expect(string.prefix { $0 != UInt8(ascii: "=") }.count <= 9)
    }
  }

  @Test("Keys match in either case, and the first one counts")
  func caseOfKeys() {
    let record = Self.record("TXTVERS=1", "Slots=3", "slots=5", "proto", "proto=2")
    #expect(record.slots == 3)
    #expect(record.protocolVersion == nil)
  }

  @Test("A record of another version is not understood")
  func otherVersion() {
    #expect(Self.record("txtvers=2", "slots=3").slots == nil)
    #expect(Self.record("slots=3").slots == nil)
  }

  @Test(
    "Counts are made of digits alone",
    arguments: ["-1", "+1", "", " 1", "1.0", "0x1", "٣", "99999999999999999999"])
  func counts(text: String) {
    #expect(Self.record("txtvers=1", "slots=\(text)").slots == nil)
  }

  @Test("A value may hold any UTF-8")
  func values() {
    #expect(Self.record("a=b=c")["a"] == "b=c")
    #expect(Self.record("a=")["a"] == "")
    #expect(TXTRecord(bytes: [3, UInt8(ascii: "a"), UInt8(ascii: "="), 0xFF])["a"] == nil)
  }

  @Test("A string that is cut off ends the record")
  func cutString() {
    let whole = Self.record("txtvers=1", "slots=3").bytes
    #expect(TXTRecord(bytes: whole.dropLast()).strings.count == 1)
    #expect(TXTRecord(bytes: []).strings.isEmpty)
    #expect(TXTRecord(bytes: [255]).strings.isEmpty)
    #expect(TXTRecord(bytes: [0, 0]).strings.count == 2)
  }

  @Test("Random bytes are read without a crash")
  func randomBytes() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<5000 {
      let count = Int.random(in: 0...40, using: &random)
      let alphabet: [UInt8] = [0, 1, 3, 9, 61, 97, 0x80, 0xC3, 0xFF]
      let record = TXTRecord(
        bytes: (0..<count).map { _ in alphabet.randomElement(using: &random)! })
      #expect(record.strings.reduce(0) { $0 + $1.count + 1 } <= count)
      _ = (record.incarnation, record.slots, record.protocolVersion, record["a"], record[""])
    }
  }
}
