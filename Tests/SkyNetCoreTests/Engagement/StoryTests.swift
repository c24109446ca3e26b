import Testing

@testable import SkyNetCore

@Suite("A task's story")
struct StoryTests {
  let orion = TestSystem("orion")

  @Test("An answer that cannot be counts against its task only where that failed before")
  func refused() {
    let vega = TestSystem("vega")
    var story = TaskStory()
    story.ended(.refused(reason: "it cannot be"), on: orion.id, named: "orion")
    story.ended(.refused(reason: "it cannot be"), on: vega.id, named: "vega")
    #expect(story.thrown == 0)
    #expect(story.failures.map(\.system) == ["orion", "vega"])
    #expect(story.systems == [orion.id, vega.id], "it goes elsewhere, if there is an elsewhere")
    story.ended(.refused(reason: "it cannot be"), on: orion.id, named: "orion")
    #expect(story.thrown == 1)
  }

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
