import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// What a node of the first version has to be able to read, and what it must not misunderstand.
@Suite struct SimulatedJSONTests {
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

  @Test func aPlainSectorIsItsNumber() throws {
    let sector = SimulatedScan.Sector(7)
    #expect(try json(sector) == "7")
    #expect(try read("7") == sector)
  }

  @Test func aSectorWithPixelsIsAnObject() throws {
    let sector = SimulatedScan.Sector(7, pixels: Pixels(Data(count: 100)))
    let text = #"{"number":7,"pixels":{"count":100,"offset":0}}"#
    #expect(try json(sector) == text)
    #expect(try read(text, bulk: 100) == sector)
    #expect(throws: DecodingError.self) { try read(text, bulk: 99) as SimulatedScan.Sector }
  }

  @Test(arguments: ["1.5", "null", "\"7\"", "[7]", #"{"number":7}"#])
  func whatIsNoSectorIsRefused(text: String) {
    #expect(throws: DecodingError.self) { try read(text) as SimulatedScan.Sector }
  }

  @Test(arguments: [
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
  func settingsAreAsFewAsCanBe(settings: SimulatedScan.Settings, text: String) throws {
    #expect(try json(settings) == text)
    #expect(try read(text) == settings)
  }
}
