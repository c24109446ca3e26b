import DequeModule
import Testing

@testable import SkyNetCore

@Suite("Tasks and the systems that keep their data")
struct DataLocalityTests {
  private let ada = TestSystem("ada")
  private let bob = TestSystem("bob")
  private var locality = DataLocality()
  private let tasks: Deque<TaskRange> = [TaskRange(pass: 1, sectors: 0..<6)]

  init() {
    for sector in [0, 1, 3] { locality.scanned(sector, by: ada.id) }
    locality.scanned(4, by: bob.id)
  }

  private func choice(for system: TestSystem, of tasks: Deque<TaskRange>? = nil) -> Int? {
    locality.choice(of: tasks ?? self.tasks, for: system.id)?.sector
  }

  @Test("A system gets the first task whose data it keeps, else one whose data none keeps")
  func order() {
    #expect(choice(for: ada) == 0)
    #expect(choice(for: bob) == 4)
    #expect(choice(for: TestSystem("eve")) == 2)
    #expect(
      choice(for: bob, of: [TaskRange(pass: 1, sectors: 0..<2)]) == nil, "so the first of all")
  }

  @Test("What a lost system kept is nobody's, and what ended is forgotten")
  mutating func lost() {
    locality.lost(ada.id)
    #expect(choice(for: bob) == 4)
    #expect(choice(for: TestSystem("eve")) == 0)
    locality.ended(0..<6)
    #expect(choice(for: bob) == 0)
  }

  @Test("Only the next tasks are looked at")
  mutating func window() {
    let end = DataLocality.window
    locality.scanned(end, by: bob.id)
    #expect(choice(for: bob, of: [TaskRange(sectors: 5..<end + 5)]) == end)
    #expect(choice(for: bob, of: [TaskRange(sectors: 5..<10 * end)]) == end)
    locality.scanned(end + 5, by: ada.id)
    #expect(choice(for: ada, of: [TaskRange(sectors: 5..<10 * end)]) == 5)
  }

  @Test("A task is removed from its range, which may leave two")
  func removal() {
    var tasks: Deque<TaskRange> = [
      TaskRange(sectors: 2..<3), TaskRange(pass: 1, sectors: 0..<6),
    ]
    tasks.remove(TaskID(pass: 1, sector: 2))
    tasks.remove(TaskID(sector: 2))
    tasks.remove(TaskID(pass: 1, sector: 5))
    tasks.remove(TaskID(pass: 1, sector: 9))
    #expect(
      tasks == [TaskRange(pass: 1, sectors: 0..<2), TaskRange(pass: 1, sectors: 3..<5)])
  }

  @Test("An engagement gives each system the tasks that follow from those it has scanned")
  func engagement() {
    var engagement = Engagement(settings: EngagementSettings())
    _ = engagement.began(
      [TaskRange(sectors: 0..<4)], systems: 2, keepsData: true, at: .at(0))
    let first = engagement.slotsGranted(
      [ada.slot(1), bob.slot(2), ada.slot(3), bob.slot(4)], at: .at(0)
    ).begun
    #expect(first.map(\.task.sector) == [0, 1, 2, 3])
    for attempt in first {
      _ = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(1))
      let added = attempt.task.sector == 3 ? [TaskRange(pass: 1, sectors: 0..<4)] : []
      _ = engagement.received(added, at: .at(1))
    }
    let second = engagement.slotsGranted([bob.slot(5), bob.slot(6), ada.slot(7)], at: .at(1)).begun
    #expect(second.map(\.task.sector) == [1, 3, 0])
    let third = engagement.slotsGranted([bob.slot(8)], at: .at(2)).begun
    #expect(third.map(\.task.sector) == [2], "no slot waits for data")
  }
}
