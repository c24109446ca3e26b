import Testing

@testable import SkyNetCommand

@Suite("Values that begin with a dash")
struct MissingValueTests {
  private let text = "Missing value for '--up-to <up-to>'\nUsage: primes engage"

  @Test("The error tells how such a value is given")
  func dash() {
    let fault = MissingValue.fault(text, ["engage", "--up-to", "-5"])
    #expect(
      fault
        == "Missing value for '--up-to <up-to>': a value that begins with a dash is given as --up-to=-5"
    )
  }

  @Test(
    "Where no such value follows, the parser's text stands",
    arguments: ["engage --up-to", "engage --up-to --web", "node --up-to -5", "engage --other -5"])
  func others(line: String) {
    #expect(MissingValue.fault(text, line.split(separator: " ").map(String.init)) == nil)
  }
}
