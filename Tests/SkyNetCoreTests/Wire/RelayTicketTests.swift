import Foundation
import Testing

@testable import SkyNetCore

@Suite("Tickets of relayed connections")
struct RelayTicketTests {
  @Test("A ticket is read back from its bytes and from JSON, and no two are alike")
  func roundTrip() throws {
    let tickets = (0..<100).map { _ in RelayTicket() }
    #expect(Set(tickets).count == 100)
    for ticket in tickets {
      #expect(ticket.bytes.count == RelayTicket.byteCount)
      #expect(RelayTicket(ticket.bytes) == ticket)
      let json = try JSONEncoder().encode(ticket)
      #expect(json.count == 34)
      #expect(try JSONDecoder().decode(RelayTicket.self, from: json) == ticket)
    }
  }

  @Test("Bytes that are cut off, too many, or those of TLS or a frame are no ticket")
  func others() {
    let bytes = RelayTicket().bytes
    #expect(RelayTicket(bytes.dropLast()) == nil && RelayTicket(bytes + [0]) == nil)
    for count in 0...bytes.count { #expect(RelayTicket.isBegunBy(bytes.prefix(count))) }
    for other: [UInt8] in [[22, 3, 1], Array("SK".utf8), Array("SR2".utf8)] {
      #expect(!RelayTicket.isBegunBy(other))
      #expect(RelayTicket(other + bytes.dropFirst(other.count)) == nil)
    }
  }

  @Test(
    "Text that is not 32 hexadecimal digits is no ticket",
    arguments: [
      "", "0", String(repeating: "0", count: 33), "x" + String(repeating: "0", count: 31),
    ])
  func wrongText(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RelayTicket.self, from: Data("\"\(text)\"".utf8))
    }
  }
}
