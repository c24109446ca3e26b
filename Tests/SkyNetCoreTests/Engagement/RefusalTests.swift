import Testing

@testable import SkyNetCore

@Suite("Impossible answers")
struct RefusalTests {
  let liars = (1...10).map { TestSystem("liar \($0)") }

  @Test("Any number of lying systems uses up no attempt of a task")
  func manyLiars() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [liars[0].slot()])
    var attempt = attempts[0]
    for liar in liars.dropFirst() {
      let actions = engagement.attemptEnded(
        attempt.id, .refused(reason: "impossible"), at: .at(1))
      #expect(actions.givenUp == [])
      #expect(actions.avoided.first?.contains(attempt.slot.system) == true)
      #expect(actions.endings == [.refused(reason: "impossible")])
      attempt = try #require(
        engagement.slotGranted(liar.slot(), for: .sector(0), at: .at(1)).begun.first)
    }
    _ = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(2))
    #expect(engagement.received([]) == [.finish])
  }

  @Test("With one lying system and no other, the task ends with its reasons")
  func oneLiar() throws {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [liars[0].slot()], settings: EngagementSettings(attempts: 2))
    let actions = engagement.fail(
      attempts[0], times: 3, on: liars[0], .refused(reason: "impossible"))
    #expect(actions.givenUp == [.sector(0)])
    #expect(
      actions.stories.first?.failures.map(\.reason) == Array(repeating: "impossible", count: 3))
    #expect(actions.last == .finish)
  }
}
