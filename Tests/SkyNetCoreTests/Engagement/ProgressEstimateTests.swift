import SkyNetCore
import Testing

@Suite("Estimates of an engagement's progress")
struct ProgressEstimateTests {
  /// An estimate after a pass of scans of this many seconds, each of which ended a second after the one before.
  private func estimate(
    of sectors: Int, done: Int, seconds: Double = 1, weights: [Double] = []
  ) -> (ProgressEstimate, now: Instant) {
    var estimate = ProgressEstimate(weights: weights, at: .at(0))
    estimate.added(sectors, toPass: 0)
    for second in 1...done {
      estimate.done(TaskID(sector: 0), seconds: seconds, endsSector: true, at: .at(Double(second)))
    }
    return (estimate, .at(Double(done)))
  }

  @Test("The rate is that of the last five seconds")
  func rate() {
    var (estimate, _) = estimate(of: 100, done: 10)
    #expect(abs(estimate.rate(at: .at(10)) - 1) < 0.01)
    for _ in 0..<20 {
      estimate.done(TaskID(sector: 0), seconds: 1, endsSector: true, at: .at(11))
    }
    estimate.done(TaskID(sector: 0), seconds: 1, at: .at(16))
    #expect(estimate.rate(at: .at(16)) < 5, "most of it is more than five seconds ago")
  }

  @Test("The time left of one pass is the number of tasks left by the rate")
  func timeLeftOfOnePass() throws {
    let (estimate, now) = estimate(of: 100, done: 10)
    let left = try #require(estimate.secondsLeft(at: now))
    #expect(abs(left - 90) < 1)
  }

  @Test("The time left includes later passes, by their weights")
  func timeLeftWithLaterPasses() throws {
    let (estimate, now) = estimate(of: 100, done: 10, weights: [1, 3])
    let left = try #require(estimate.secondsLeft(at: now))
    #expect(abs(left - (90 + 300)) < 4)
    #expect(estimate.passText(["background", "detection"]) == "pass 1 of 2, background")
  }

  @Test(
    "Nothing is left of an engagement whose sectors have all ended, and nothing is known of one that stands"
  )
  func ends() {
    let (whole, now) = estimate(of: 10, done: 10)
    #expect(whole.secondsLeft(at: now) == 0)
    let (part, _) = estimate(of: 100, done: 10)
    #expect(part.secondsLeft(at: .at(100)) == nil, "nothing has ended for a minute")
    let fresh = ProgressEstimate(at: .at(0))
    #expect(fresh.secondsLeft(at: .at(0)) == nil)
    #expect(fresh.rate(at: .at(0)) == 0)
  }

  @Test("Tasks that an earlier process did do not count for the rate")
  func restored() {
    var estimate = ProgressEstimate(at: .at(0))
    estimate.added(10, toPass: 0)
    estimate.restored(5, inPass: 0)
    #expect(estimate.rate(at: .at(1)) == 0)
    #expect(estimate.secondsLeft(at: .at(1)) == nil)
  }

  @Test("Tasks of an earlier pass that an earlier process did are not left")
  func restoredPass() throws {
    var estimate = ProgressEstimate(at: .at(0))
    estimate.added(10, toPass: 0)
    estimate.added(10, toPass: 1)
    estimate.restored(10, inPass: 0)
    for second in 1...2 {
      estimate.done(TaskID(pass: 1, sector: 0), seconds: 1, at: .at(Double(second)))
    }
    // One task a second, and eight of ten are left.
    let left = try #require(estimate.secondsLeft(at: .at(2)))
    #expect(abs(left - 8) < 0.1)
  }

  @Test("A job of one pass without a name has no pass to tell of")
  func onePass() {
    #expect(estimate(of: 10, done: 1).0.passText([]) == nil)
  }
}

@Suite("The ids of runs")
struct RunIDTests {
  @Test("An id is sixteen hexadecimal digits, and reads what it writes")
  func text() throws {
    let id = RunID()
    #expect(id.description.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    #expect(RunID(id.description) == id)
    #expect(RunID() != id)
  }

  @Test(
    "Other texts are no ids",
    arguments: ["", "1", "+fffffffffffffff", "zzzzzzzzzzzzzzzz", "00000000000000000"])
  func others(text: String) {
    #expect(RunID(text) == nil)
  }
}
