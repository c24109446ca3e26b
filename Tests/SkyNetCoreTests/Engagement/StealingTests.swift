import Testing

@testable import SkyNetCore

@Suite("Stealing waiting attempts")
struct StealingTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")

  /// Two attempts on orion and one on vega. None has started for a while.
  private func waiting() -> (Engagement, [Attempt]) {
    var (engagement, attempts) = Engagement.handedOut(
      3, to: orion.slots(1...2) + vega.slots(3...3))
    _ = engagement.woke(at: .at(0.05))
    return (engagement, attempts)
  }

  @Test("No attempt is stolen before it has waited for 50 ms, or while fresh tasks are left")
  func transit() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    #expect(engagement.woke(at: .at(0.04)).idleSlotRequests == [])
    #expect(engagement.woke(at: .at(0.049)).idleSlotRequests == [])
    #expect(engagement.woke(at: .at(0.05)).idleSlotRequests == [[orion.id]])
    let actions = engagement.idleSlotGranted(vega.slot(), at: .at(0.05))
    #expect(actions.cancelled == [attempts[1]])

    (engagement, attempts) = Engagement.handedOut(3, to: orion.slots(1...2))
    #expect(engagement.woke(at: .at(1)).idleSlotRequests == [])
  }

  @Test("The last attempt of the longest queue moves to the idle slot")
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

  @Test("Attempts that have started do not count in the length of a queue")
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

  @Test("An attempt that has started is not stolen")
  func started() {
    var (engagement, attempts) = waiting()
    for attempt in attempts { _ = engagement.attemptStarted(attempt.id, at: .at(0.1)) }
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(0.2)).begun == [])
  }

  @Test("A request for an idle slot that was replaced before it was performed gets no slot")
  func replacedRequest() {
    var (engagement, attempts) = Engagement.handedOut(
      3, to: orion.slots(1...2) + vega.slots(3...3))
    var pending = engagement.woke(at: .at(0.05))[...]
    pending += engagement.attemptStarted(attempts[2].id, at: .at(0.05))
    var (begun, refused, grants) = (0, false, 0)
    while let action = pending.popFirst() {
      switch action {
      case _ where action.isReplaced(by: pending): break
      // Lyra has a free slot for each request, at once.
      case .requestIdleSlot:
        grants += 1
        let slot = lyra.slot(UInt64(3 + grants))
        pending += engagement.idleSlotGranted(slot, at: .at(0.05))
      case .begin: begun += 1
      case .refuse: refused = true
      default: break
      }
    }
    #expect(!refused)
    #expect(begun == 2)
    #expect(grants == 2)
  }

  @Test("A task is stolen to each system once, so that stealing comes to an end")
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

  @Test("This process's own system takes a task back, once from each other system")
  func home() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], ownSystem: orion.id)
    var begun = attempts
    for round in 1...9 {
      let now = Double(round)
      _ = engagement.woke(at: .at(now))
      let slot = [orion, vega, orion, lyra][round % 4].slot(UInt64(round) + 1)
      begun += engagement.idleSlotGranted(slot, at: .at(now)).begun
    }
    #expect(begun.map(\.slot.name) == ["orion", "vega", "orion", "lyra", "orion"])
  }

  @Test("Each recall of a task doubles the time after which it is taken for waiting again")
  func backoff() {
    var (engagement, _) = Engagement.handedOut(1, to: [orion.slot()])
    var (systems, now) = ([orion], 0.0)
    for recalls in 0..<12 {
      let wait = 0.05 * Double(1 << min(recalls, 10))
      #expect(engagement.woke(at: .at(now + wait - 0.001)).idleSlotRequests == [])
      now += wait + 0.001
      // Its own queue is the one that an idle slot cannot help.
      #expect(engagement.woke(at: .at(now)).idleSlotRequests == [[systems[recalls].id]])
      systems.append(TestSystem("system \(recalls)"))
      let slot = systems[recalls + 1].slot(UInt64(recalls) + 2)
      #expect(engagement.idleSlotGranted(slot, at: .at(now)).begun.count == 1)
    }
  }

  @Test("A system that can take no attempt is excluded from the next request")
  func unsuitableSystem() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(0))
    _ = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(0))
    #expect(engagement.woke(at: .at(1)).idleSlotRequests == [[vega.id]])
    let refused = engagement.idleSlotGranted(orion.slot(2), at: .at(1))
    #expect(refused.first == .release(orion.slot(2)))
    #expect(refused.idleSlotRequests == [[orion.id, vega.id].sorted()])
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(1)).begun.count == 1)
  }

  @Test("A task that waits for a retry does not keep others from being stolen")
  func besideRetries() {
    var (engagement, attempts) = waiting()
    _ = engagement.attemptEnded(attempts[2].id, .threw(), at: .at(0.1))
    #expect(engagement.idleSlotGranted(vega.slot(4), at: .at(0.1)).cancelled == [attempts[1]])
  }

  @Test("The request for an idle slot is withdrawn when no attempt waits, or after an interruption")
  func withdrawsRequest() {
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
