import Testing

@testable import SkyNetCore

@Suite("The heartbeat")
struct HeartbeatTests {
  var heartbeat = Heartbeat(timeout: .seconds(5), peerTimeout: .seconds(5), at: .at(0))

  @Test("The heartbeat ticks every second, or five times in the shorter timeout")
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
    "A peer's short timeout makes this side ping at most ten times a second")
  func shortestForPeer() {
    func interval(_ timeout: Double, _ peerTimeout: Double) -> Duration {
      Heartbeat(timeout: .seconds(timeout), peerTimeout: .seconds(peerTimeout), at: .at(0))
        .interval
    }
    #expect(interval(5, 0.01) == .milliseconds(100))
    // This side's own short timeout may make it ping more often.
    #expect(interval(0.1, 5) == .milliseconds(20))
  }

  @Test("A peer that is silent for the timeout is gone")
  mutating func silence() {
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(1)) == nil)
    for second in 2...5 {
      #expect(heartbeat.tick(signsOfLife: 10, at: .at(Double(second))) == nil)
    }
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(6)) == .seconds(5))
  }

  @Test("A peer that never sent a byte is gone after the timeout")
  mutating func neverHeard() {
    for second in 1...4 {
      #expect(heartbeat.tick(signsOfLife: 0, at: .at(Double(second))) == nil)
    }
    #expect(heartbeat.tick(signsOfLife: 0, at: .at(5)) == .seconds(5))
  }

  @Test("The heartbeat notices a standstill even before the next tick")
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
      #expect(heartbeat.tick(signsOfLife: bytes, at: .at(Double(second))) == nil)
    }
  }

  @Test("A process that stood still itself does not blame its peer, and counts anew")
  mutating func ownStandstill() {
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(1)) == nil)
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(3600)) == nil)
    for second in 1...4 {
      #expect(heartbeat.tick(signsOfLife: 10, at: .at(3600 + Double(second))) == nil)
    }
    #expect(
      heartbeat.tick(signsOfLife: 10, at: .at(3605)) == .seconds(5))
  }

  @Test("A slightly late tick changes nothing")
  mutating func lateTick() {
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(1)) == nil)
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(3.5)) == nil)
    #expect(heartbeat.tick(signsOfLife: 10, at: .at(6)) == .seconds(5))
  }
}

@Suite("The backoff")
struct BackoffTests {
  @Test("The wait doubles up to a limit, and a success resets it")
  func doubles() {
    var backoff = Backoff(first: .seconds(1), limit: .seconds(5))
    #expect((1...5).map { _ in backoff.failed() } == [1, 2, 4, 5, 5].map { .seconds($0) })
    backoff.succeeded()
    #expect(backoff.failed() == .seconds(1))
  }
}
