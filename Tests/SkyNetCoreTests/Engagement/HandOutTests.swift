import Testing

@testable import SkyNetCore

@Suite("Handing out tasks")
struct HandOutTests {
  let orion = TestSystem("orion")

  @Test("Slots are requested for all tasks, a batch at a time")
  func batches() {
    var engagement = Engagement(settings: EngagementSettings())
    let first = engagement.began([TaskRange(sectors: 0..<100)], systems: 1, at: .at(0))
    #expect(first == [.requestSlots(upTo: 64)])

    let then = engagement.slotsGranted(orion.slots(1...64), at: .at(0))
    #expect(then.begun.map(\.task.sector) == Array(0..<64))
    #expect(then.aboutTasks.last == .requestSlots(upTo: 36))
    #expect(engagement.attemptsInFlight == 64)

    let last = engagement.slotsGranted(orion.slots(65...100), at: .at(0))
    #expect(last.begun.map(\.task.sector) == Array(64..<100))
    #expect(last.aboutTasks.count == 36, "no task is left to request a slot for")
  }

  @Test("If fewer slots are granted than requested, the rest is requested again")
  func fewerSlots() {
    var engagement = Engagement(settings: EngagementSettings())
    _ = engagement.began([TaskRange(sectors: 0..<3)], systems: 1, at: .at(0))
    let actions = engagement.slotsGranted([orion.slot()], at: .at(0))
    #expect(actions.begun.map(\.task) == [.sector(0)])
    #expect(actions.aboutTasks.last == .requestSlots(upTo: 2))
  }

  @Test("Slots for tasks that were abandoned meanwhile are given back")
  func slotsTooMany() {
    var engagement = Engagement(settings: EngagementSettings())
    _ = engagement.began([TaskRange(sectors: 0..<2)], systems: 1, at: .at(0))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    #expect(engagement.woke(at: .at(100)).abandoned == [.sector(0), .sector(1)])
    let actions = engagement.slotsGranted(orion.slots(1...2), at: .at(100))
    #expect(actions == orion.slots(1...2).map { .release($0) })
  }

  @Test("The number of attempts in flight stays within its limit")
  func inFlight() {
    var engagement = Engagement(settings: EngagementSettings(inFlight: 2))
    let first = engagement.began([TaskRange(sectors: 0..<100)], systems: 1, at: .at(0))
    #expect(first == [.requestSlots(upTo: 2)])
    let then = engagement.slotsGranted(orion.slots(1...2), at: .at(0))
    #expect(then.begun.count == 2)
    #expect(!then.contains { if case .requestSlots = $0 { true } else { false } })
    let attempt = then.begun[0]
    let last = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(1))
    #expect(last.last == .requestSlots(upTo: 1))
  }

  @Test("Each task begins with its first attempt, and each attempt has its own id")
  func attempts() {
    let (_, attempts) = Engagement.handedOut(20, to: orion.slots(1...20))
    #expect(Set(attempts.map(\.id)).count == 20)
    #expect(attempts.allSatisfy { $0.ordinal == 1 })
  }

  @Test("Ranges are handed out in the order in which they were added")
  func ranges() {
    var engagement = Engagement(settings: EngagementSettings())
    let ranges = [TaskRange(pass: 1, sectors: 5..<6), TaskRange(sectors: 2..<4)]
    #expect(engagement.began(ranges, systems: 1, at: .at(0)) == [.requestSlots(upTo: 3)])
    let actions = engagement.slotsGranted(orion.slots(1...3), at: .at(0))
    #expect(
      actions.begun.map(\.task) == [TaskID(pass: 1, sector: 5), .sector(2), .sector(3)])
  }

  @Test("Slots for the tasks that an output adds are requested once")
  func addedTasks() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    for attempt in attempts {
      let actions = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(1))
      #expect(actions.aboutTasks == [.accept(attempt, attempts: 1, seconds: 1)])
    }
    let added = [TaskRange(pass: 1, sectors: 0..<2)]
    #expect(engagement.received(added) == [.requestSlots(upTo: 2)])
    #expect(engagement.received(added) == [], "the first request is not yet answered")
    let actions = engagement.slotsGranted(orion.slots(3...4), at: .at(1))
    #expect(actions.begun.map(\.task.pass) == [1, 1])
    #expect(actions.contains(.requestSlots(upTo: 2)))
    #expect(
      engagement.slotsGranted(orion.slots(5...6), at: .at(1)).begun.map(\.task.pass) == [1, 1])
  }

  @Test("An engagement of a million tasks keeps them as a range")
  func million() {
    var engagement = Engagement(settings: EngagementSettings())
    let actions = engagement.began([TaskRange(sectors: 0..<1_000_000)], systems: 1, at: .at(0))
    #expect(actions == [.requestSlots(upTo: 64)])
  }
}
