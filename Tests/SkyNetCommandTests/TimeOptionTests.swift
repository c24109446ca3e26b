import ArgumentParser
import Testing

@testable import SkyNetCommand

@Suite("Times on the command line")
struct TimeOptionTests {
  @Test(
    "A number with a unit is a time, and without one it is seconds",
    arguments: [
      ("5", 5), ("1.5", 1.5), ("0", 0), (".5", 0.5), ("1e3", 1000), ("-1", -1), ("5s", 5),
      ("2m", 120), ("2h", 7200), ("1.5h", 5400), ("200ms", 0.2), ("1d", 86_400),
      ("1m30s", 90), ("2h30m", 9000), ("1d12h", 129_600), ("1s500ms", 1.5), ("1e3s", 1000),
    ])
  func times(text: String, seconds: Double) throws {
    #expect(abs(try TimeOption.seconds(text) - seconds) < 1e-9)
  }

  @Test(
    "Other texts are no time",
    arguments: ["", "s", "5x", "5 s", "0x10", "two", "30s5m", "5m5m", "5m30", "m5", "1h 30m"])
  func noTimes(text: String) {
    #expect(throws: ValidationError.self) { try TimeOption.seconds(text) }
  }

  @Test(
    "A time in a message is what would be typed",
    arguments: [
      (0, "0s"), (0.0005, "0.5ms"), (0.2, "200ms"), (1.5, "1.5s"), (90, "1m30s"), (86_400, "1d"),
      (172_800, "2d"), (5400, "1h30m"), (3600.5, "1h0.5s"), (-1, "-1.0 s"),
    ])
  func texts(seconds: Double, text: String) {
    #expect(TimeOption.text(seconds) == text)
  }

  @Test("A time that is out of range is refused with its unit and the limit")
  func range() throws {
    let long = #expect(throws: ValidationError.self) { try Check.seconds("wait", 172_800) }
    #expect(long?.message == "--wait is 2d, but at most 1d is allowed")
    let short = #expect(throws: ValidationError.self) {
      try Check.seconds("lifetime", 0.5, atLeast: 1, atMost: 60)
    }
    #expect(short?.message == "--lifetime is 500ms, but at least 1s is needed")
    try Check.seconds("wait", nil)
  }
}
