import Foundation
import SkyNetCore
import Testing

@testable import SkySimulation

/// JSON that a node of the first version must read, and JSON that it must not misunderstand.
@Suite("JSON of simulated scans")
struct SimulatedJSONTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.userInfo[.bulkWriter] = BulkWriter()
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read<Value: Decodable>(_ text: String, bulk: Int = 0) throws -> Value {
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(Data(count: bulk))
    return try decoder.decode(Value.self, from: Data(text.utf8))
  }

  @Test("A sector without pixels is a bare number")
  func plainSector() throws {
    let sector = SimulatedScan.Sector(7)
    #expect(try json(sector) == "7")
    #expect(try read("7") == sector)
  }

  @Test("A sector with pixels is an object")
  func pixels() throws {
    let sector = SimulatedScan.Sector(7, pixels: BulkBytes(Data(count: 100)))
    let text = #"{"number":7,"pixels":{"count":100,"offset":0}}"#
    #expect(try json(sector) == text)
    #expect(try read(text, bulk: 100) == sector)
    #expect(throws: DecodingError.self) { try read(text, bulk: 99) as SimulatedScan.Sector }
  }

  @Test(
    "JSON that is not a sector is refused",
    arguments: ["1.5", "null", "\"7\"", "[7]", #"{"number":7}"#])
  func notASector(text: String) {
    #expect(throws: DecodingError.self) { try read(text) as SimulatedScan.Sector }
  }

  @Test(
    "Settings with default values are left out",
    arguments: [
      (SimulatedScan.Settings(), #"{"failingEvery":10,"seconds":1}"#),
      (
        SimulatedScan.Settings(lengths: .init(median: 2, seed: 7)),
        #"{"failingEvery":10,"seconds":2,"seed":7}"#
      ),
      (
        SimulatedScan.Settings(
          lengths: .init(median: 2, spread: 0.5, seed: .max), failingEvery: 0, sectorBytes: 9),
        #"{"failingEvery":0,"seconds":{"median":2,"seed":18446744073709551615,"spread":0.5},"#
          + #""sectorBytes":9}"#
      ),
    ])
  func settings(settings: SimulatedScan.Settings, text: String) throws {
    #expect(try json(settings) == text)
    #expect(try read(text) == settings)
  }
}
