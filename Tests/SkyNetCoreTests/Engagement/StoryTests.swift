import Testing

@testable import SkyNetCore

@Suite("A task's story")
struct StoryTests {
  let orion = TestSystem("orion")

  @Test("Each end counts as what it is")
  func counts() {
    var story = TaskStory()
    let endings: [AttemptEnding] = [
      .failed(reason: "no stars"), .lost(reason: "gone", hadStarted: true),
      .lost(reason: "gone", hadStarted: true), .lost(reason: "gone", hadStarted: false),
      .withdrawn(reason: "drained"), .succeeded,
    ]
    for ending in endings {
      story.began()
      story.ended(ending, on: orion.id, named: "orion", seconds: 2)
    }
    #expect(story.attempts == 6)
    #expect(story.thrown == 1)
    #expect(story.deaths == 2)
    #expect(story.failures.count == 5)
    #expect(story.systems == [orion.id])
    #expect(story.seconds == 2)
  }
}
