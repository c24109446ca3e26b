import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand

@Suite("Lines of results")
struct ResultLineTests {
  private func text(_ result: SectorResult) -> String {
    String(decoding: ResultLine(words: RunWords()).bytes(result), as: UTF8.self)
  }

  @Test("A failure's line lists each reason")
  func aFailureListsEachReason() {
    let failure = SectorFailure(
      sector: 3,
      failures: [
        FailedAttempt(system: "a", reason: "it said \"no\""),
        FailedAttempt(system: "local", reason: "bad luck"),
      ],
      attempts: 2, seconds: 0)
    let line =
      #"{"sector":3,"error":[{"system":"a","reason":"it said \"no\""},"#
      + #"{"system":"local","reason":"bad luck"}],"attempts":2,"seconds":0.000}"# + "\n"
    #expect(ResultLine(words: RunWords()).bytes(failure) == Array(line.utf8))
  }

  @Test("What a terminal would obey is escaped, and the line is the same JSON")
  func controlsAreEscaped() {
    let name = "a\u{202E}\u{9B}"
    let result = SectorResult(
      sector: 1, result: [name: "\u{2066}\u{7F}é\n"], system: name, attempts: 1, seconds: 0)
    let line =
      #"{"sector":1,"result":{"a\u202e\u009b":"\u2066\u007fé\n"},"system":"a\u202e\u009b","#
      + #""attempts":1,"seconds":0.000}"# + "\n"
    #expect(text(result) == line)
  }

  @Test("A result may be any JSON value")
  func aResultIsAnyJSON() {
    let word = SectorResult(sector: 17, result: "17", system: "b", attempts: 1, seconds: 1.0024)
    let line = #"{"sector":17,"result":"17","system":"b","attempts":1,"seconds":1.002}"# + "\n"
    #expect(text(word) == line)
    let number = SectorResult(sector: 0, result: 12, system: "b", attempts: 1, seconds: 0.05)
    #expect(text(number).contains(#""result":12,"#))
    #expect(text(number).contains(#""seconds":0.050}"#))
  }
}
