import Testing

@testable import SkyNetCore

@Suite("The tally")
struct TallyTests {
  @Test("Attempts that were handed out and came back add up")
  func counts() {
    var tally = Tally(total: 3)
    tally.handedOut(to: "orion", at: .at(1))
    tally.handedOut(to: "orion", at: .at(2))
    tally.handedOut(to: "vega", at: .at(2))
    #expect(tally.inFlight == ["orion": 2, "vega": 1])
    tally.cameBack(from: "orion")
    tally.completed(by: "orion", at: .at(4))
    tally.cameBack(from: "vega")
    tally.retriedOne()
    tally.failed(at: .at(9))
    #expect(tally.inFlight == ["orion": 1, "vega": 0])
    #expect(tally.total == 3)
    #expect(tally.completed == 1)
    #expect(tally.failed == 1)
    #expect(tally.retried == 1)
  }

  @Test("The total grows with the job")
  func grows() {
    var tally = Tally(total: 0)
    tally.grew(by: 4)
    tally.restored()
    tally.grew(by: 1)
    #expect(tally.total == 5)
    #expect(tally.completed == 1)
  }

  @Test("The elapsed time runs from the first hand-out to the last result")
  func elapsed() {
    var tally = Tally(total: 2)
    #expect(tally.elapsed == .zero)
    #expect(tally.running(at: .at(100)) == .zero)
    tally.handedOut(to: "orion", at: .at(5))
    #expect(tally.elapsed == .zero, "no sector has a result yet")
    tally.handedOut(to: "orion", at: .at(6))
    tally.completed(by: "orion", at: .at(7))
    tally.completed(by: "orion", at: .at(9))
    #expect(tally.elapsed == .seconds(4))
    #expect(tally.running(at: .at(100)) == .seconds(95))
  }

  @Test("The largest share comes first, and equal shares are ordered by name")
  func shares() {
    var tally = Tally(total: 4)
    for system in ["vega", "local", "orion", "local"] {
      tally.completed(by: system, at: .at(1))
    }
    #expect(tally.sharesBySystem.map(\.system) == ["local", "orion", "vega"])
    #expect(tally.sharesBySystem.map(\.completed) == [2, 1, 1])
  }

  @Test("The results of an earlier process are counted, and belong to no share")
  func restored() {
    var tally = Tally(total: 4)
    tally.restored()
    tally.restored()
    tally.restoredFailure()
    #expect((tally.completed, tally.restoredCount, tally.failed) == (2, 2, 1))
    #expect(tally.sharesBySystem.isEmpty)
    #expect(tally.elapsed == .zero)
    tally.handedOut(to: "orion", at: .at(5))
    tally.restored()
    tally.completed(by: "orion", at: .at(6))
    #expect((tally.completed, tally.restoredCount) == (4, 3))
    #expect(tally.elapsed == .seconds(1), "the time runs from this process's first hand-out")
  }

  @Test("When there are many names of systems, those without attempts are forgotten")
  func names() {
    var tally = Tally(total: 1)
    tally.handedOut(to: "busy", at: .at(0))
    for number in 0..<10_000 {
      tally.handedOut(to: "\(number)", at: .at(0))
      tally.cameBack(from: "\(number)")
    }
    #expect(tally.inFlight.count <= 65)
    #expect(tally.inFlight["busy"] == 1)
  }
}
