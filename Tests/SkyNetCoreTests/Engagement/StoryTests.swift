import Testing

@testable import SkyNetCore

@Suite("A task's story")
struct StoryTests {
  let orion = TestSystem("orion")

  @Test("An impossible answer counts against its task only where the task has failed before")
  func refused() {
    let vega = TestSystem("vega")
    var story = TaskStory()
    story.ended(.refused(reason: "impossible"), on: orion.id, named: "orion")
    story.ended(.refused(reason: "impossible"), on: vega.id, named: "vega")
    #expect(story.thrown == 0)
    #expect(story.failures.map(\.system) == ["orion", "vega"])
    #expect(story.systems == [orion.id, vega.id], "a retry avoids both systems")
    story.ended(.refused(reason: "impossible"), on: orion.id, named: "orion")
    #expect(story.thrown == 1)
  }

  @Test("The first and the latest of very many failures are kept, and their number")
  func many() {
    var story = TaskStory()
    for number in 0..<1000 {
      story.began()
      story.ended(
        .lost(reason: "cut \(number)", hadStarted: false), on: Incarnation(), named: "orion")
    }
    story.ended(.failed(reason: "no stars"), on: orion.id, named: "orion")
    let half = TaskStory.historyLimit / 2
    let expected = (0..<half).map { "cut \($0)" } + (1001 - half..<1000).map { "cut \($0)" }
    #expect(story.failures.map(\.reason) == expected + ["no stars"])
    #expect(story.systems.count == TaskStory.historyLimit && story.systems.last == orion.id)
    #expect(story.attempts == 1000)
  }

  @Test("Each kind of end is counted as such")
  func counts() {
    var story = TaskStory()
    let endings: [AttemptOutcome] = [
      .failed(reason: "no stars", seconds: 2), .lost(reason: "gone", hadStarted: true),
      .lost(reason: "gone", hadStarted: true), .lost(reason: "gone", hadStarted: false),
      .withdrawn(reason: "drained"), .succeeded(seconds: 2),
    ]
    for ending in endings {
      story.began()
      story.ended(ending, on: orion.id, named: "orion")
    }
    #expect(story.attempts == 6)
    #expect(story.thrown == 1)
    #expect(story.deaths == 2)
    #expect(story.failures.count == 5)
    #expect(story.systems == [orion.id])
    #expect(story.seconds == 2)
  }
}
