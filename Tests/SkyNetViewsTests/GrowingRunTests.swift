import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews

@Suite("Views of a run over several images")
struct GrowingRunTests {
  private var view = RunView()
  private let run = RunID()

  private mutating func apply(_ events: EngagementEvent..., at time: Double = 1) {
    for event in events {
      view.apply(
        EngagementUpdate(
          run: run, time: Date(timeIntervalSince1970: 1000 + time), event: event,
          tally: Tally(total: 0)))
    }
  }

  private func part(_ number: Int, _ sectors: Range<Int>) -> JobPart {
    JobPart(number: number, sectors: sectors, name: "night/\(number).fits")
  }

  private func handedOut(_ sector: Int) -> EngagementEvent {
    .handedOut(.init(task: TaskID(sector: sector), system: "b"))
  }

  private func completed(_ sector: Int) -> EngagementEvent {
    .completed(SectorResult(sector: sector, result: 0, system: "b", attempts: 1, seconds: 1))
  }

  private func failed(_ sector: Int) -> EngagementEvent {
    .failed(SectorFailure(sector: sector, failures: [], attempts: 1, seconds: 1))
  }

  @Test("Images are open until their last task has ended, and those with an attempt are scanned")
  mutating func openImages() {
    let (first, second, third) = (part(0, 0..<4), part(1, 4..<5), part(2, 5..<6))
    apply(
      .began(name: "60 images", sectors: 0, passes: []), .grew(first, expectedParts: 60),
      .grew(second, expectedParts: 60), .grew(third, expectedParts: 60), at: 0)
    #expect(view.parts.openParts == [first, second, third])
    #expect(view.partsInFlight.isEmpty)
    #expect(view.sectors == 6 && view.parts.total == 60 && view.pass == nil)
    apply(handedOut(3), handedOut(4), handedOut(2))
    #expect(view.partsInFlight == [first, second])
    apply(completed(4), .partEnded(second), at: 2)
    #expect(view.parts.openParts == [first, third] && view.partsInFlight == [first])
    #expect(view.parts.ended == 1 && view.parts.begun == 3)
  }

  @Test("Sectors that follow from outputs make the total and the field larger")
  mutating func extended() {
    apply(
      .began(name: "crawl", sectors: 1, passes: []), .added(tasks: 1, pass: 0), handedOut(0),
      completed(0), .extended(by: 1..<3), .added(tasks: 2, pass: 0))
    #expect(view.sectors == 3 && view.completed == 1 && view.field.sectors == 3)
    #expect(view.secondsLeft(at: 1001) != 0)
    apply(.extended(by: 5..<6), handedOut(5), completed(5), handedOut(1), completed(1))
    #expect(view.sectors == 4 && view.completed == 3 && view.field.sectors == 6)
    #expect(view.field.cells[5].completed == 1)
    apply(handedOut(2), completed(2))
    #expect(view.secondsLeft(at: 1001) == 0)
  }

  @Test("An image that is scanned anew has cells of its own, beyond the count")
  mutating func droppedImage() {
    apply(.began(name: "1 image", sectors: 0, passes: []), .grew(part(1, 4..<6), expectedParts: 1))
    apply(handedOut(5), completed(5))
    #expect(view.field.sectors == 6 && view.sectors == 2)
    #expect(view.field.cells[5].completed == 1 && view.completed == 1)
  }

  @Test("An image of which sectors failed counts once, also if an earlier process gave them up")
  mutating func failedImages() {
    let (first, second, third) = (part(0, 0..<4), part(1, 4..<5), part(3, 5..<6))
    apply(
      .began(name: "3 images", sectors: 0, passes: []), .grew(first, expectedParts: 3),
      .grew(second, expectedParts: 3), at: 0)
    apply(failed(1), failed(2))
    #expect(view.failed == 2 && view.parts.failed == 0, "it has not ended")
    apply(.partEnded(first))
    apply(
      .restoredFailure(SectorFailure(sector: 4, failures: [], attempts: 1, seconds: 1)),
      .partEnded(second))
    apply(.grew(third, expectedParts: 3), handedOut(5), completed(5), .partEnded(third), at: 2)
    #expect(view.parts.failed == 2 && view.parts.ended == 3)
  }

  @Test("The time left is told for images that are still to come")
  mutating func timeLeft() throws {
    apply(.began(name: "10 images", sectors: 0, passes: []), at: 0)
    for number in 0..<4 {
      apply(
        .grew(part(number, number..<number + 1), expectedParts: 10), .added(tasks: 1, pass: 0),
        at: Double(number))
      apply(handedOut(number), at: Double(number))
      apply(
        completed(number), .partEnded(part(number, number..<number + 1)), at: Double(number + 1))
    }
    let left = try #require(view.secondsLeft(at: 1004))
    #expect(abs(left - 6) < 0.1)
  }

  @Test("The line of an attempt that is tried again names its image")
  mutating func retries() {
    view.apply(
      EngagementUpdate(
        run: run, time: .now,
        event: .retried(TaskID(sector: 7), FailedAttempt(system: "b", reason: "bad luck")),
        tally: Tally(total: 0), part: "night/a.fits"))
    #expect(
      view.notices.latest.map(\.text) == [
        "re-run sector 7 of 'night/a.fits': failed on b: bad luck"
      ])
  }
}
