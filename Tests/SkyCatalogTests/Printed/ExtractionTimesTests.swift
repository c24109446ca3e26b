import Foundation
import Testing

@testable import SkyCatalog

/// SEXDATE, SEXTIME and SEXELAPS.
@Suite("Times of an extraction")
struct ExtractionTimesTests {
  private func values(_ times: ExtractionTimes) -> [String] {
    times.cards.map { String($0.text.prefix(30)) }
  }

  @Test("SOURCE_DATE_EPOCH takes the place of the clock, and the scan took no time")
  func fixed() throws {
    var times = try ExtractionTimes(["SOURCE_DATE_EPOCH": "1234567890", "TZ": "Asia/Tokyo"])
    times.end(now: Date() + 60)
    #expect(
      values(times) == [
        "SEXDATE = '13/02/2009'        ", "SEXTIME = '23:31:30'          ",
        "SEXELAPS=           0.00000000",
      ])
  }

  @Test(
    "Without it the cards tell the local time of the end, and whole seconds, as SExtractor's do")
  func clock() throws {
    let start = Date(timeIntervalSince1970: 1_700_000_000.75)
    var times = try ExtractionTimes([:], now: start)
    times.end(now: start + 75.5)
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.dateFormat = "dd/MM/yyyy HH:mm:ss"
    let local = form.string(from: start + 75.5).split(separator: " ")
    #expect(
      values(times) == [
        "SEXDATE = '\(local[0])'        ", "SEXTIME = '\(local[1])'          ",
        "SEXELAPS=          76.00000000",
      ])
  }

  @Test(
    "What is no number of seconds is an error", arguments: ["", "now", "-1", "1e9", "253402300800"])
  func invalid(text: String) {
    let error = #expect(throws: ExtractionTimes.InvalidTime.self) {
      try ExtractionTimes(["SOURCE_DATE_EPOCH": text])
    }
    #expect(error?.description.hasPrefix("SOURCE_DATE_EPOCH is no number of seconds") == true)
  }
}
