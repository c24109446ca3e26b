import SkyNetCore
import TestSupport
import Testing

@testable import SkyNetCluster

@Suite("The feed of changes", .timeLimit(.minutes(20)), .inTurn)
struct ChangeFeedTests {
  @Test("A follower gets the present state, and then every change in order")
  func order() async {
    let feed = ChangeFeed()
    let ids = (0..<4).map { _ in Incarnation() }
    let stream = feed.follow { [.draining(ids[0])] }
    for id in ids[1...] { feed.publish { .draining(id) } }
    feed.publish { nil }
    var seen: [Systems.Change] = []
    for await change in stream {
      seen.append(change)
      if seen.count == ids.count { break }
    }
    #expect(seen == ids.map { .draining($0) })
  }

  /// A publisher once waited for the lock of a task that it woke, while that task, being cancelled, waited for
  /// the lock of the feed.
  @Test("Followers that are cancelled while changes are published do not hold the publisher up")
  func cancelledFollowers() async {
    let feed = ChangeFeed()
    let id = Incarnation()
    for _ in 0..<2000 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          let stream = feed.follow { [] }
          group.addTask { for await _ in stream {} }
        }
        let publishing = Task { for _ in 0..<20 { feed.publish { .draining(id) } } }
        await Task.yield()
        group.cancelAll()
        await publishing.value
      }
    }
  }
}
