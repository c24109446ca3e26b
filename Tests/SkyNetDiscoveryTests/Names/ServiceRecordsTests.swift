import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("The SRV records of an answer")
struct ServiceRecordsTests {
  private static let question = name("_s._tcp.x") + [0, 33, 0, 1]

  private static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  private static func message(_ answers: [[UInt8]], questions: UInt8 = 1) -> [UInt8] {
    [0, 1, 0x81, 0x80, 0, questions, 0, UInt8(answers.count), 0, 0, 0, 0]
      + (questions == 1 ? question : []) + answers.flatMap { $0 }
  }

  /// A record whose name is a pointer to the question's.
  private static func record(
    type: UInt8 = 33, seconds: UInt8 = 30, port: Int, target: [UInt8]
  ) -> [UInt8] {
    let data = [0, 1, 0, 2, UInt8(port >> 8), UInt8(port & 0xFF)] + target
    return [0xC0, 12, 0, type, 0, 1, 0, 0, 0, seconds, 0, UInt8(data.count)] + data
  }

  @Test("Every record counts, whatever its priority and weight, and the shortest life of all")
  func records() {
    let answer = ServiceRecords(
      Self.message([
        Self.record(seconds: 30, port: 7777, target: Self.name("a.x")),
        Self.record(seconds: 7, port: 40_000, target: Self.name("b-2.x")),
      ]))
    #expect(
      answer?.records == [
        .init(target: "a.x", port: 7777), .init(target: "b-2.x", port: 40_000),
      ])
    #expect(answer?.seconds == 7)
  }

  @Test("A target may point back to an earlier name, and records of other types are left out")
  func pointers() {
    let answer = ServiceRecords(
      Self.message([
        Self.record(type: 5, port: 1, target: Self.name("alias.x")),
        Self.record(port: 7777, target: [1, 97, 0xC0, 12]),
      ]))
    #expect(answer?.records == [.init(target: "a._s._tcp.x", port: 7777)])
  }

  @Test("A service that is not offered has no record, and its answer's life counts")
  func notOffered() {
    let answer = ServiceRecords(Self.message([Self.record(port: 0, target: [0])]))
    #expect(answer?.records == [])
    #expect(answer?.seconds == 30)
  }

  @Test(
    "A target that points forward, to itself, or has other bytes than a host's name is left out")
  func brokenTargets() {
    for target: [UInt8] in [
      [0xC0, 47], [0xC0, 255], [3, 97, 32, 98, 0], [64, 97, 0], [2, 97, 0],
    ] {
      let answer = ServiceRecords(Self.message([Self.record(port: 1, target: target)]))
      #expect(answer?.records.isEmpty ?? true, "\(target)")
    }
  }

  @Test("No cut of a message, and no changed byte, does harm")
  func damage() {
    let whole = Self.message([Self.record(port: 7777, target: Self.name("a.x"))])
    for count in 0..<whole.count { _ = ServiceRecords(Array(whole.prefix(count))) }
    #expect(ServiceRecords(Array(whole.prefix(11))) == nil || whole.count < 11)
    for place in whole.indices {
      for value in [0, 1, 63, 64, 0xC0, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[place] = value
        _ = ServiceRecords(bytes)
      }
    }
  }
}
