import Foundation
import SkyNetCore
import Testing

@testable import SkyDetection
@testable import SkyScan

@Suite("The sky of meshes in a message")
struct SkyListTests {
  private let list = SkyList([
    MeshSky(level: 100.25, noise: 3), nil, MeshSky(level: -0.1, noise: 0, variance: 7.5),
  ])

  private func decoded(_ json: Data, _ bulk: Data) throws -> SkyList {
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(bulk)
    return try decoder.decode(SkyList.self, from: json)
  }

  @Test("It travels as bytes beside the JSON, at most as many as the limit says")
  func roundTrip() throws {
    let (encoder, writer) = (JSONEncoder(), BulkWriter())
    encoder.userInfo[.bulkWriter] = writer
    let json = try encoder.encode(list)
    #expect(json.count < 50 && writer.bytes.count == 17 + 1 + 25)
    #expect(writer.bytes.count <= SkyList.limit(of: 3))
    #expect(try decoded(json, writer.bytes) == list)
    for count in [1, 16, 18, 42] {
      let cut = Data(#"{"offset":0,"count":\#(count)}"#.utf8)
      let bytes = writer.bytes.prefix(count)
      if count == 18 {
        #expect(try decoded(cut, bytes) == SkyList(Array(list.skies.prefix(2))))
      } else {
        #expect(throws: DecodingError.self) { try decoded(cut, bytes) }
      }
    }
  }

  @Test("A journal has it as text")
  func text() throws {
    let json = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(SkyList.self, from: json) == list)
  }
}
