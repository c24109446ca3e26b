import SkyNetCore
import TestSupport
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand

@Suite("Lines of results", .inTurn)
struct ResultLineTests {
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
    #expect(ResultLine(words: RunWords()).text(failure) == line)
  }

  @Test("A result may be any JSON value")
  func aResultIsAnyJSON() {
    let text = SectorResult(sector: 17, result: "17", system: "b", attempts: 1, seconds: 1.0024)
    let line = #"{"sector":17,"result":"17","system":"b","attempts":1,"seconds":1.002}"# + "\n"
    #expect(ResultLine(words: RunWords()).text(text) == line)
    let number = SectorResult(sector: 0, result: 12, system: "b", attempts: 1, seconds: 0.05)
    #expect(ResultLine(words: RunWords()).text(number).contains(#""result":12,"#))
    #expect(ResultLine(words: RunWords()).text(number).contains(#""seconds":0.050}"#))
  }
}
