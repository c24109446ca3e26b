import Testing

@testable import SkyNetCore

@Suite("The heartbeat")
struct HeartbeatTests {
  var heartbeat = Heartbeat(timeout: .seconds(5), peerTimeout: .seconds(5), at: .at(0))

  @Test("It beats every second, or five times in the shorter of the two timeouts")
  func interval() {
    func interval(_ timeout: Double, _ peerTimeout: Double) -> Duration {
      Heartbeat(timeout: .seconds(timeout), peerTimeout: .seconds(peerTimeout), at: .at(0))
        .interval
    }
    #expect(interval(5, 5) == .seconds(1))
    #expect(interval(60, 60) == .seconds(1))
    #expect(interval(1, 5) == .milliseconds(200))
    #expect(interval(5, 0.5) == .milliseconds(100))
  }

  @Test(
    "However short a timeout a peer announces, it makes this side ping ten times a second at most")
  func shortestForPeer() {
    func interval(_ timeout: Double, _ peerTimeout: Double) -> Duration {
      Heartbeat(timeout: .seconds(timeout), peerTimeout: .seconds(peerTimeout), at: .at(0))
        .interval
    }
    #expect(interval(5, 0.01) == .milliseconds(100))
    // Its own short timeout is this side's own wish.
    #expect(interval(0.1, 5) == .milliseconds(20))
  }

  @Test("A peer that was not heard of for the timeout is gone")
  mutating func silence() {
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(1)) == .ping)
    for second in 2...5 {
      #expect(heartbeat.tick(signsOfLife: 10, at: .at(Double(second))) == .ping)
    }
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(6)) == .gone(silence: .seconds(5)))
  }

  @Test("A peer that never said a word is gone after the timeout too")
  mutating func neverHeard() {
    for second in 1...4 {
      #expect(heartbeat.tick(signsOfLife: 0, at: .at(Double(second))) == .ping)
    }
    #expect(heartbeat.tick(signsOfLife: 0, at: .at(5)) == .gone(silence: .seconds(5)))
  }

  @Test("It knows since when it did not stand still, also before the next beat")
  mutating func standstill() {
    _ = heartbeat.tick(signsOfLife: 1, at: .at(1))
    #expect(!heartbeat.stoodStill(since: .at(0.5), at: .at(3.9)))
    #expect(heartbeat.stoodStill(since: .at(0.5), at: .at(31)))
    _ = heartbeat.tick(signsOfLife: 1, at: .at(31))
    #expect(heartbeat.stoodStill(since: .at(0.5), at: .at(31.1)))
    #expect(!heartbeat.stoodStill(since: .at(31.05), at: .at(31.1)))
  }

  @Test("A single byte is a sign of life")
  mutating func anyByte() {
    for second in 1...100 {
      let bytes = second / 4
      #expect(heartbeat.tick(signsOfLife: bytes, at: .at(Double(second))) == .ping)
    }
  }

  @Test("Who stood still itself blames nobody, and counts anew")
  mutating func ownStandstill() {
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(1)) == .ping)
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(3600)) == .ping)
    for second in 1...4 {
      #expect(heartbeat.tick(signsOfLife: 10, at: .at(3600 + Double(second))) == .ping)
    }
    #expect(
      heartbeat.tick(signsOfLife: 10, at: .at(3605)) == .gone(silence: .seconds(5)))
  }

  @Test("A tick that is a little late changes nothing")
  mutating func lateTick() {
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(1)) == .ping)
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(3.5)) == .ping)
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(6)) == .gone(silence: .seconds(5)))
  }
}

@Suite("Backing off")
struct BackoffTests {
  @Test("The wait doubles up to a limit, and starts anew after a success")
  func doubles() {
    var backoff = Backoff(first: .seconds(1), limit: .seconds(5))
    #expect((1...5).map { _ in backoff.failed() } == [1, 2, 4, 5, 5].map { .seconds($0) })
    backoff.succeeded()
    #expect(backoff.failed() == .seconds(1))
  }
}
