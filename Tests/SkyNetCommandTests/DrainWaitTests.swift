import Testing

@testable import SkyNetCommand

@Suite("Waiting for drained systems")
struct DrainWaitTests {
  private var wait = DrainWait()

  @Test("The wait ends when nothing runs on a system that still drains")
  mutating func idle() {
    #expect(wait.saw(.answers(isDraining: true, running: 2)) == nil)
    #expect(wait.saw(.silent) == nil, "no answer says nothing")
    #expect(wait.saw(.answers(isDraining: true, running: 0)) == .idle)
  }

  @Test("A system that takes scans again was undrained, whether it says so or says goodbye")
  mutating func undrained() {
    #expect(wait.saw(.answers(isDraining: false, running: 0)) == .undrained)
    #expect(wait.saw(.undrained) == .undrained)
    #expect(!DrainWait.End.undrained.isSuccess)
  }

  @Test("A goodbye of a system that stops ends the wait, and a broken connection does not")
  mutating func gone() {
    #expect(wait.saw(.lost) == nil)
    #expect(!wait.isLost, "its goodbye may be heard in a moment")
    #expect(wait.saw(.lost) == nil)
    #expect(wait.isLost)
    #expect(wait.saw(.answers(isDraining: true, running: 1)) == nil)
    #expect(!wait.isLost, "it was found again")
    #expect(wait.saw(.stopped) == .stopped)
    #expect(DrainWait.End.stopped.isSuccess)
  }

  @Test("A process that was started anew is not drained")
  mutating func replaced() {
    _ = wait.saw(.lost)
    #expect(wait.saw(.replaced) == .replaced)
    #expect(!DrainWait.End.replaced.isSuccess)
  }
}
