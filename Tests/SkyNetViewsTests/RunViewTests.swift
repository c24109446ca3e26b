import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews

@Suite("Views of a run")
struct RunViewTests {
  private var view = RunView()
  private let run = RunID()

  private mutating func apply(
    _ events: EngagementEvent..., at time: Double = 1, tally: Tally = Tally(total: 0)
  ) {
    for event in events {
      view.apply(
        EngagementUpdate(
          run: run, time: Date(timeIntervalSince1970: 1000 + time), event: event, tally: tally))
    }
  }

  private func handedOut(
    _ sector: Int, to system: String, isHedge: Bool = false
  ) -> EngagementEvent {
    .handedOut(.init(task: TaskID(sector: sector), system: system, isHedge: isHedge))
  }

  private func completed(_ sector: Int, by system: String) -> EngagementEvent {
    .completed(
      SectorResult(sector: sector, result: 0, system: system, attempts: 1, seconds: 0.5))
  }

  private func system(_ name: String, slots: Int = 4) -> RemoteSystem {
    RemoteSystem(
      Hello(name: name, incarnation: Incarnation(), slots: slots, timeout: .seconds(5), scans: []),
      name: name, address: "10.0.0.1:4000")
  }

  @Test("A sector's way is seen in its cell, its system's row and the counts")
  mutating func oneSector() throws {
    apply(.began(name: "sky", sectors: 3, passes: []), .added(tasks: 3, pass: 0), at: 0)
    apply(.connected(system("b")), handedOut(1, to: "b"))
    #expect(view.inFlight == 1)
    #expect(view.field.cells[1].inFlight == 1)
    #expect(view.attempts.inFlight.count == 1)
    apply(completed(1, by: "b"), at: 2)
    let row = try #require(view.systems.first)
    #expect(row.name == "b" && row.slots == 4)
    #expect(row.inFlight == 0 && row.completed == 1 && row.scanSeconds == 0.5)
    #expect(view.field.cells[1].completed == 1 && view.field.cells[1].inFlight == 0)
    #expect(view.completed == 1)
    let attempt = try #require(view.attempts.ended().first)
    #expect(attempt.ending == .done && attempt.ended - attempt.flight.began == 1)
  }

  @Test("A system that gets a longer name keeps its row")
  mutating func renamedSystem() throws {
    apply(.began(name: "sky", sectors: 3, passes: []), .added(tasks: 3, pass: 0), at: 0)
    let b = system("b")
    apply(.connected(b), handedOut(1, to: "b"))
    apply(.renamed(b.withFullName(), from: "b"), .connected(system("b@10.0.0.2:4000")))
    apply(completed(1, by: "b@10.0.0.1:4000"), at: 2)
    #expect(view.systems.map(\.name) == ["b@10.0.0.1:4000", "b@10.0.0.2:4000"])
    #expect(view.systems.first?.inFlight == 0 && view.systems.first?.completed == 1)
  }

  @Test("A lost attempt is handed out again, and its system is seen as gone")
  mutating func lostSystem() {
    apply(.began(name: "sky", sectors: 3, passes: []), at: 0)
    apply(.connected(system("b")), handedOut(1, to: "b"))
    apply(.silent(system("b"), for: .seconds(2)), at: 3)
    #expect(view.systems[0].condition == .silent(since: 1001))
    apply(
      .disconnected(system("b"), reason: "silent for 5 s"),
      .attemptEnded(
        .init(task: TaskID(sector: 1), system: "b"), .lost, reason: "silent for 5 s"),
      .retried(TaskID(sector: 1), FailedAttempt(system: "b", reason: "silent for 5 s")),
      handedOut(1, to: "local"), at: 6)
    #expect(view.systems[0].isGone && view.systems[0].lost == 1)
    #expect(view.retried == 1 && view.systems[0].retried == 1)
    #expect(view.field.cells[1].inFlight == 1)
    #expect(view.notices.latest.map(\.isFault) == [false, true])
  }

  @Test(
    "Attempts that are tried again are their systems' retried ones, and given-up sectors alone failed"
  )
  mutating func retriedAttempts() {
    apply(.began(name: "sky", sectors: 3, passes: []), .added(tasks: 3, pass: 0), at: 0)
    for (attempt, name) in ["a", "b", "a"].enumerated() {
      let handout = EngagementEvent.Handout(
        task: TaskID(sector: 1), system: name, attempt: attempt + 1)
      let failure = FailedAttempt(system: name, reason: "bad luck")
      apply(.handedOut(handout), .attemptEnded(handout, .failed, reason: failure.reason))
      guard attempt < 2 else { break }
      apply(.retried(handout.task, failure))
    }
    apply(.failed(SectorFailure(sector: 1, failures: [], attempts: 3, seconds: 1)))
    #expect(view.systems.map(\.name) == ["a", "b"])
    #expect(view.systems.map(\.retried) == [1, 1], "the last attempt was not tried again")
    #expect(view.retried == 2 && view.failed == 1)
    #expect(view.notices.latest.map(\.isFault) == [false, false, true])
  }

  @Test("A lost system has one notice, which names the sectors that were lost with it")
  mutating func lostSectors() {
    apply(.began(name: "sky", sectors: 3, passes: []), .connected(system("b")), at: 0)
    var tally = Tally(total: 3)
    for sector in 1...2 {
      tally.handedOut(to: "b", at: Instant(sinceOrigin: .seconds(1)))
      apply(handedOut(sector, to: "b"))
    }
    apply(.disconnected(system("b"), reason: "it left"), at: 2, tally: tally)
    for sector in 1...2 {
      apply(
        .attemptEnded(
          .init(task: TaskID(sector: sector), system: "b"), .lost, reason: "it left"),
        .retried(TaskID(sector: sector), FailedAttempt(system: "b", reason: "it left")), at: 2.1)
    }
    #expect(
      view.notices.latest.map(\.text) == [
        "connected b", "disconnected b: it left; 2 sectors are handed out again: 1, 2",
      ])
  }

  @Test("A notice is held back for lost attempts no longer than 0.3 s, also when nothing happens")
  mutating func heldNotice() {
    apply(.began(name: "sky", sectors: 3, passes: []), handedOut(1, to: "b"), at: 0)
    apply(.attemptEnded(.init(task: TaskID(sector: 1), system: "b"), .lost, reason: "it left"))
    view.releaseLines(at: 1001.2)
    #expect(view.notices.latest.isEmpty)
    view.releaseLines(at: 1001.4)
    #expect(
      view.notices.latest.map(\.text) == [
        "lost on b: it left; 1 sector is handed out again: 1"
      ])
  }

  @Test("A resumed run of two passes has only the tasks before it that no earlier process did")
  mutating func resumedPasses() throws {
    apply(
      .began(name: "sky", sectors: 10, passes: ["background", "detection"]),
      .added(tasks: 10, pass: 0), .added(tasks: 10, pass: 1), .passRestored(pass: 0, tasks: 10),
      at: 0)
    for sector in 0..<2 {
      let time = Double(sector + 1)
      apply(
        handedOut(sector, to: "b"),
        .completed(
          SectorResult(
            sector: sector, pass: 1, result: 0, system: "b", attempts: 1, seconds: 1)),
        at: time)
    }
    let left = try #require(view.secondsLeft(at: 1002))
    #expect(abs(left - 8) < 0.1)
    #expect(view.pass == "pass 2 of 2, detection")
  }

  @Test("A silence hides what else is wrong with a system, and its end shows it again")
  mutating func silence() {
    apply(.began(name: "sky", sectors: 3, passes: []), at: 0)
    apply(.connected(system("b")), .leaving("b"))
    apply(.silent(system("b"), for: .seconds(2)), at: 3)
    #expect(view.systems[0].trouble(at: 1004.5) == "silent for 3 s")
    apply(.silent(system("b"), for: .seconds(4)), .heard(system("b")), at: 5)
    #expect(view.systems[0].trouble(at: 1005) == "leaving")
  }

  @Test("This process's own system may take tasks again after it has left")
  mutating func serving() {
    apply(.began(name: "sky", sectors: 3, passes: []), handedOut(1, to: "local"), at: 0)
    apply(.leaving("local"))
    #expect(view.systems[0].condition == .leaving())
    apply(.serving("local"))
    #expect(view.systems[0].condition == .present)
  }

  @Test("What is wrong with a system is said in words, with the time until the next try")
  mutating func troubles() {
    apply(.began(name: "sky", sectors: 3, passes: []), at: 0)
    apply(.connected(system("b")), at: 1)
    #expect(view.systems[0].trouble(at: 1001) == nil)
    apply(.paused("b", failures: 5, for: .seconds(10)), at: 1)
    #expect(
      view.systems[0].trouble(at: 1003)
        == "paused after 5 failures in a row, next try in 8 s")
    #expect(view.systems[0].trouble(at: 1020) == "paused after 5 failures in a row")
    apply(.paused("b", failures: 0, for: .seconds(4)), at: 1)
    #expect(
      view.systems[0].trouble(at: 1001) == "paused, its last process died young, next try in 4 s")
    apply(.resumed("b"), .unsuited("b", reason: "has no /data"))
    #expect(view.systems[0].trouble(at: 1001) == "gets nothing: has no /data")
    apply(.disconnected(system("b"), reason: "it left"))
    #expect(view.systems[0].trouble(at: 1001) == "gone: it left")
  }

  @Test("The rate of slow scans is taken over half a minute, and that of a young run over its age")
  mutating func steadyRates() {
    apply(.began(name: "sky", sectors: 1000, passes: []), at: 0)
    for second in 1...30 where second.isMultiple(of: 3) {
      apply(
        handedOut(second, to: "b"), completed(second, by: "b"), at: Double(second))
    }
    let row = view.systems[0]
    #expect(row.steadyRate(at: 1004, began: 1000) == 0.25)
    #expect(abs(row.steadyRate(at: 1031, began: 1000) - 1 / 3.0) < 0.01)
  }

  @Test("Beyond 65,536 sectors, a cell stands for several")
  mutating func largeField() {
    apply(.began(name: "sky", sectors: 1_000_000, passes: []), at: 0)
    #expect(view.field.sectorsPerCell == 16)
    #expect(view.field.cells.count == 62_500)
    apply(handedOut(999_999, to: "b"), completed(999_999, by: "b"), completed(999_990, by: "b"))
    #expect(view.field.cells.last?.completed == 2)
  }

  @Test("A viewer that has seen a version needs only the cells of later ones")
  mutating func versions() {
    apply(.began(name: "sky", sectors: 10, passes: []), handedOut(3, to: "b"))
    let seen = view.field.version
    var field = view.field
    #expect(field.nextVersion() == seen)
    view.nextVersion()
    apply(handedOut(4, to: "b"))
    let later = view.field.cells.indices.filter { view.field.cells[$0].version > seen }
    #expect(later == [4])
  }

  @Test("Systems that come under ever new names do not grow the view for ever")
  mutating func manyNames() {
    apply(.began(name: "sky", sectors: 10, passes: []), at: 0)
    for number in 0..<3000 {
      apply(
        .connected(system("b\(number)")), .disconnected(system("b\(number)"), reason: "gone"))
    }
    #expect(view.systems.count == RunView.systemLimit)
    #expect(view.notices.latest.count == Notices.limit)
    #expect(view.notices.count == 6000)
    #expect(view.notices.latest(after: 5998).map(\.number) == [5999, 6000])
  }

  @Test("Of the attempts that have ended the latest are kept")
  mutating func manyAttempts() {
    apply(.began(name: "sky", sectors: 10_000, passes: []), at: 0)
    for sector in 0..<5000 { apply(handedOut(sector, to: "b"), completed(sector, by: "b")) }
    #expect(view.attempts.endedCount == 5000)
    #expect(view.attempts.ended().count == AttemptRecord.limit)
    #expect(view.attempts.ended(after: 4998).map(\.key.task.sector) == [4998, 4999])
    // The first of these are no longer kept.
    #expect(view.attempts.ended(after: 900, until: 906).map(\.key.task.sector) == [904, 905])
    #expect(view.attempts.ended(after: 100, until: 300).isEmpty)
  }

  @Test("A system's history counts its tasks by the second")
  mutating func history() {
    apply(.began(name: "sky", sectors: 100, passes: []), at: 0)
    for sector in 0..<6 { apply(handedOut(sector, to: "b"), completed(sector, by: "b"), at: 10) }
    apply(handedOut(7, to: "b"), completed(7, by: "b"), at: 12)
    let row = view.systems[0]
    #expect(row.tasksPerSecond(at: 1013, last: 5) == [0, 0, 6, 0, 1])
    #expect(row.tasksPerSecond(at: 1200, last: 5) == [0, 0, 0, 0, 0])
  }
}
