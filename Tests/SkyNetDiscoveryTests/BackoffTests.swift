import Testing

@testable import SkyNetDiscovery

@Suite struct BackoffTests {
  @Test func doublesUpToItsLimit() {
    var backoff = Backoff(first: .milliseconds(500), limit: .seconds(5))
    let waits = (0..<6).map { _ in backoff.next() }
    #expect(
      waits == [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5),
      ])
  }

  @Test func startsAgainAfterASuccess() {
    var backoff = Backoff(first: .seconds(1), limit: .seconds(30))
    for _ in 0..<10 { _ = backoff.next() }
    backoff.reset()
    #expect(backoff.next() == .seconds(1))
    #expect(backoff.next() == .seconds(2))
  }

  @Test func neverWaitsLongerThanItsLimit() {
    var backoff = Backoff(first: .seconds(3), limit: .seconds(2))
    #expect(backoff.next() == .seconds(2))
    backoff.reset()
    #expect(backoff.next() == .seconds(2))
  }
}
