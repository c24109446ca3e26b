import Foundation
import Testing

@testable import SkyNetCore

@Suite("Bulk bytes inside a message")
struct BulkBytesTests {
  struct Field: Codable, Hashable {
    var name: String
    var planes: [BulkBytes]
  }

  private func decode(_ json: String, bulk: Data) throws -> BulkBytes {
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(bulk)
    return try decoder.decode(BulkBytes.self, from: utf8(json))
  }

  @Test("Bulk bytes travel unchanged beside the JSON")
  func beside() throws {
    let planes = [utf8("stars"), Data(), utf8("more stars")].map { BulkBytes($0) }
    let field = Field(name: "M31", planes: planes)
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    let json = try encoder.encode(field)
    #expect(writer.bytes == utf8("starsmore stars"))
    #expect(!String(decoding: json, as: UTF8.self).contains("stars"))

    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    #expect(try decoder.decode(Field.self, from: json) == field)
  }

  @Test("Bulk bytes outside a message are coded like any bytes")
  func alone() throws {
    let pixels = [BulkBytes(utf8("stars"))]
    let json = try JSONEncoder().encode(pixels)
    #expect(String(decoding: json, as: UTF8.self) == "[\"c3RhcnM=\"]")
    #expect(try JSONDecoder().decode([BulkBytes].self, from: json) == pixels)
  }

  @Test("Bulk bytes may be any part of a message's bytes, even if those are a slice")
  func parts() throws {
    let bulk = utf8("0123456789").dropFirst(2)
    #expect(try decode(#"{"offset":0,"count":3}"#, bulk: bulk).bytes == utf8("234"))
    #expect(try decode(#"{"offset":5,"count":3}"#, bulk: bulk).bytes == utf8("789"))
    #expect(try decode(#"{"offset":8,"count":0}"#, bulk: bulk).bytes == Data())
  }

  @Test(
    "A range beyond the message's bytes is refused",
    arguments: [
      #"{"offset":8,"count":1}"#, #"{"offset":9,"count":0}"#, #"{"offset":0,"count":9}"#,
      #"{"offset":-1,"count":1}"#, #"{"offset":1,"count":-1}"#,
      #"{"offset":9223372036854775807,"count":9223372036854775807}"#,
      #"{"offset":1,"count":9223372036854775807}"#,
      #"{"offset":-9223372036854775808,"count":-9223372036854775808}"#,
      #"{"offset":1e300,"count":1}"#, #"{"offset":0.5,"count":1}"#, #"{"offset":0}"#, #""c3Rh""#,
    ])
  func outOfRange(json: String) {
    #expect(throws: DecodingError.self) { try decode(json, bulk: utf8("8 bytes.")) }
  }

  @Test("Three values cannot share the same bytes, so a small message stays small")
  func shared() throws {
    func planes(_ count: Int) throws -> [BulkBytes] {
      let decoder = JSONDecoder()
      decoder.userInfo[.bulkReader] = BulkReader(utf8("8 bytes."))
      let place = #"{"offset":0,"count":8}"#
      let json = "[" + [String](repeating: place, count: count).joined(separator: ",") + "]"
      return try decoder.decode([BulkBytes].self, from: utf8(json))
    }
    #expect(try planes(2).count == 2)
    #expect(throws: DecodingError.self) { try planes(3) }
  }

  @Test("A position without a message cannot be decoded")
  func positionAlone() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(BulkBytes.self, from: utf8(#"{"offset":0,"count":1}"#))
    }
  }
}
