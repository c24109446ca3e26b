import Testing

@testable import SkyNetCore

@Suite("A task's story")
struct StoryTests {
  let orion = TestSystem("orion")

  @Test("Each end counts as what it is")
  func counts() {
    var story = TaskStory()
    let endings: [(AttemptEnding, isOwn: Bool)] = [
      (.failed(reason: "no stars"), false), (.lost(reason: "gone", hadStarted: true), false),
      (.lost(reason: "gone", hadStarted: true), true),
      (.lost(reason: "gone", hadStarted: false), true), (.withdrawn(reason: "drained"), false),
      (.succeeded, false),
    ]
    for (ending, isOwn) in endings {
      story.began()
      story.ended(ending, on: orion.id, named: "orion", isOwn: isOwn, seconds: 2)
    }
    #expect(story.attempts == 6)
    #expect(story.thrown == 1)
    #expect(story.deaths == 2)
    #expect(story.ownDeaths == 1)
    #expect(story.failures.count == 5)
    #expect(story.systems == [orion.id])
    #expect(story.seconds == 2)
  }
}
