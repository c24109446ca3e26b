import ArgumentParser
import Testing

@testable import SkyNetCLI

@Suite("Times on the command line")
struct TimeOptionTests {
  @Test(
    "A number with a unit is a time, and without one it is seconds",
    arguments: [
      ("5", 5), ("1.5", 1.5), ("0", 0), (".5", 0.5), ("1e3", 1000), ("-1", -1), ("5s", 5),
      ("2m", 120), ("2h", 7200), ("1.5h", 5400), ("200ms", 0.2), ("1d", 86_400),
    ])
  func times(text: String, seconds: Double) throws {
    #expect(abs(try TimeOption.seconds(text) - seconds) < 1e-9)
  }

  @Test("Other texts are no time", arguments: ["", "s", "5x", "5 s", "0x10", "two", "5m30s", "m5"])
  func noTimes(text: String) {
    #expect(throws: ValidationError.self) { try TimeOption.seconds(text) }
  }
}
