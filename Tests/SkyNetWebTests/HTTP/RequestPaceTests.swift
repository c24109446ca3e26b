import Testing

@testable import SkyNetHTTP

@Suite("The pace of requests")
struct RequestPaceTests {
  @Test(
    "A burst is answered at once, what follows waits, and after a second there is another burst")
  func burst() {
    let start = ContinuousClock.now
    var pace = RequestPace(at: start)
    for second in 0...1 {
      let now = start + .seconds(second)
      for _ in 1...RequestPace.burst { #expect(pace.next(at: now) == .zero) }
      #expect(pace.next(at: now + .milliseconds(999)) == RequestPace.pause)
    }
  }
}
