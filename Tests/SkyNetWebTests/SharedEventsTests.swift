import Testing

@testable import SkyNetWeb

@Suite("Events for many viewers")
struct SharedEventsTests {
  private let run = ViewedRun()

  @Test("Viewers that have seen the same get the same bytes, up to the same moment")
  func sharing() throws {
    let events = SharedEvents(run.feed)
    run.begin(sectors: 10)
    let first = events.portion(after: run.feed.beginning, at: 1)
    run.complete(0..<5)
    let second = events.portion(after: run.feed.beginning, at: 1)
    #expect(first.bytes == second.bytes && first.cursor == second.cursor)
    let next = events.portion(after: first.cursor, at: 2)
    let all = events.portion(after: run.feed.beginning, at: 2)
    #expect(next.cursor == all.cursor)
    var (told, late) = (Told(), Told())
    told.take(try Told.events(in: first.bytes))
    told.take(try Told.events(in: next.bytes))
    late.take(try Told.events(in: all.bytes))
    #expect(told.cells.count == 5 && late.cells.keys == told.cells.keys)
  }

  @Test("The page's own token is in no event, also where a notice has its address")
  func token() {
    let token = AccessToken()
    let events = SharedEvents(run.feed, hiding: token)
    run.begin(sectors: 10)
    run.fail(1, reason: "page: http://h/?token=\(token.text)&\(token.text)")
    let text = String(decoding: events.portion(after: .init(), at: 1).bytes, as: UTF8.self)
    #expect(!text.contains(token.text))
    #expect(text.contains("token=" + String(repeating: ".", count: 32)))
  }

  @Test("After the end there is one last moment for all")
  func theEnd() {
    let events = SharedEvents(run.feed)
    run.begin(sectors: 1)
    #expect(!events.portion(after: run.feed.beginning, at: 1).isLast)
    run.feed.end()
    // It does not wait for the next tick.
    let last = events.portion(after: run.feed.beginning, at: 1)
    #expect(last.isLast)
    #expect(events.portion(after: run.feed.beginning, at: 9).bytes == last.bytes)
  }

  @Test("Messages that are made quickly come at each tick, and dear ones less often")
  func pace() {
    func next(after tick: Int, _ milliseconds: Int, _ least: Int = 1) -> Int {
      ViewerPace.next(after: tick, cost: .milliseconds(milliseconds), atLeast: least)
    }
    #expect(next(after: 7, 0) == 8)
    #expect(next(after: 7, 5) == 8)
    #expect(next(after: 7, 6) == 8 && next(after: 8, 6) == 10)
    #expect(next(after: 1, 1000) == 8)
    #expect(next(after: 5, 0, 4) == 8)
  }
}
