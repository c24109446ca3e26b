import ArgumentParser
import Testing

@testable import ImagesWorkload

@Suite("The sectors that a process of a batch scans")
struct SectorChoiceTests {
  @Test(
    "A list of sectors is read in its order",
    arguments: [
      ("7", [7..<8]), ("0-9,20", [0..<10, 20..<21]), ("5,3-3,0-2", [5..<6, 3..<4, 0..<3]),
    ])
  func list(text: String, ranges: [Range<Int>]) throws {
    #expect(try SectorChoice(sectors: text).sectors(of: 100) == ranges)
  }

  @Test(
    "A list that is none is refused",
    arguments: [
      "", ",", "1,", "-1", "1-", "1-2-3", "a", "1 ", "0x1", "٣", "1.5", "3-1", "1,1", "0-9,9-12",
      "9999999999", "0-99999999999999999999",
    ])
  func noList(text: String) {
    #expect(throws: ValidationError.self) { try SectorChoice(sectors: text) }
  }

  @Test(
    "A share that is none is refused",
    arguments: ["", "/", "1", "1/", "/8", "8/8", "0/0", "-1/8", "1/2/3", "a/b", "1/99999999999"])
  func noShare(text: String) {
    #expect(throws: ValidationError.self) { try SectorChoice(share: text) }
  }

  @Test(
    "The shares hold each sector once, and their sizes differ by one at most",
    arguments: [0, 1, 7, 8, 9, 200, 1_000_003])
  func shares(count: Int) throws {
    let shares = try (0..<8).flatMap { try SectorChoice(share: "\($0)/8").sectors(of: count) }
    #expect(shares.first?.lowerBound == 0 && shares.last?.upperBound == count)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(shares.allSatisfy { (count / 8...(count + 7) / 8).contains($0.count) })
  }
}
