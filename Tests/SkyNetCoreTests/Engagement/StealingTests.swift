import Testing

@testable import SkyNetCore

@Suite("Calling back what only waits")
struct RecallTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")

  /// Two attempts on orion and one on vega, of which none has started for a while.
  private func waiting() -> (Engagement, [Attempt]) {
    var (engagement, attempts) = Engagement.handedOut(
      3, to: orion.slots(1...2) + vega.slots(3...3))
    _ = engagement.woke(at: .at(0.05))
    return (engagement, attempts)
  }

  @Test("Nothing is recalled before it waited for 50 ms, or while tasks are left to hand out")
  func transit() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    #expect(engagement.woke(at: .at(0.04)).idleWishes == [])
    #expect(engagement.woke(at: .at(0.049)).idleWishes == [])
    #expect(engagement.woke(at: .at(0.05)).idleWishes == [[orion.id]])
    let actions = engagement.idleSlotGranted(vega.slot(), at: .at(0.05))
    #expect(actions.cancelled == [attempts[1]])

    (engagement, attempts) = Engagement.handedOut(3, to: orion.slots(1...2))
    #expect(engagement.woke(at: .at(1)).idleWishes == [])
  }

  @Test("The last of the longest queue is cancelled and begun on the idle slot")
  func longestQueue() throws {
    var (engagement, attempts) = waiting()
    let actions = engagement.idleSlotGranted(lyra.slot(), at: .at(0.1))
    #expect(actions.cancelled == [attempts[1]])
    #expect(actions.endings == [.withdrawn(reason: "called back")])
    let begun = try #require(actions.begun.first)
    #expect(begun.task == attempts[1].task)
    #expect(begun.slot == lyra.slot())
    #expect(begun.ordinal == 2)
    #expect(!begun.isHedge)
    #expect(engagement.attemptEnded(attempts[1].id, .succeeded(seconds: 1), at: .at(1)) == [])
  }

  @Test("Those that have started count for nothing in a queue's length")
  func exactLengths() {
    let slots = orion.slots(1...4) + vega.slots(5...6)
    var (engagement, attempts) = Engagement.handedOut(6, to: slots)
    _ = engagement.woke(at: .at(0.05))
    for attempt in attempts.prefix(3) {
      _ = engagement.attemptStarted(attempt.id, at: .at(0.1))
    }
    let actions = engagement.idleSlotGranted(lyra.slot(), at: .at(0.11))
    #expect(actions.cancelled == [attempts[5]])
  }

  @Test("What has started is left alone")
  func started() {
    var (engagement, attempts) = waiting()
    for attempt in attempts { _ = engagement.attemptStarted(attempt.id, at: .at(0.1)) }
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(0.2)).begun == [])
  }

  @Test("A task goes to each system once, so that recalling comes to an end")
  func noCycle() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    var begun = attempts
    for round in 1...9 {
      let now = Double(round)
      _ = engagement.woke(at: .at(now))
      let slot = [orion, vega, lyra][round % 3].slot(UInt64(round) + 1)
      begun += engagement.idleSlotGranted(slot, at: .at(now)).begun
    }
    #expect(begun.map(\.slot.name) == ["orion", "vega", "lyra"])
  }

  @Test("A system that can take none of them is not asked again, but others are")
  func uselessSystem() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(0))
    _ = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(0))
    #expect(engagement.woke(at: .at(1)).idleWishes == [[vega.id]])
    let refused = engagement.idleSlotGranted(orion.slot(2), at: .at(1))
    #expect(refused.first == .release(orion.slot(2)))
    #expect(refused.idleWishes == [[orion.id, vega.id].sorted()])
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(1)).begun.count == 1)
  }

  @Test("A task that waits to be tried again keeps none from being recalled")
  func besideRetries() {
    var (engagement, attempts) = waiting()
    _ = engagement.attemptEnded(attempts[2].id, .threw(), at: .at(0.1))
    #expect(engagement.idleSlotGranted(vega.slot(4), at: .at(0.1)).cancelled == [attempts[1]])
  }

  @Test("A wish is dropped when nothing waits any more, and by an interruption")
  func dropsWish() {
    var (engagement, attempts) = waiting()
    for attempt in attempts.dropLast() {
      _ = engagement.attemptStarted(attempt.id, at: .at(0.1))
    }
    let last = engagement.attemptStarted(attempts[2].id, at: .at(0.1))
    #expect(last.contains(.withdrawIdleSlot))
    (engagement, attempts) = waiting()
    #expect(engagement.interrupted().contains(.withdrawIdleSlot))
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(1)).refused != nil)
  }
}
