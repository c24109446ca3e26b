import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews

@Suite("Lines about systems that are gone")
struct EventLinesTests {
  private var lines = EventLines()
  private let b = RemoteSystem(
    Hello(name: "b", incarnation: Incarnation(), slots: 4, timeout: .seconds(5), scans: []),
    name: "b", address: "10.0.0.1:4000")

  /// Applies an event while this many attempts are in flight on `b`.
  private mutating func add(_ event: EngagementEvent, inFlight: Int = 0) -> [String] {
    var tally = Tally(total: 0)
    for _ in 0..<inFlight { tally.handedOut(to: "b", at: Instant()) }
    return lines.lines(
      for: EngagementUpdate(run: RunID(), time: .now, event: event, tally: tally)
    ).map(\.text)
  }

  private func lost(_ sector: Int) -> EngagementEvent {
    .attemptEnded(
      .init(task: TaskID(sector: sector), system: "b"), .lost, reason: "silent for 5.0 s")
  }

  private func retried(_ sector: Int) -> EngagementEvent {
    .retried(TaskID(sector: sector), FailedAttempt(system: "b", reason: "silent for 5.0 s"))
  }

  private func gaveUp(_ sector: Int) -> EngagementEvent {
    .failed(
      SectorFailure(
        sector: sector, failures: [FailedAttempt(system: "b", reason: "silent for 5.0 s")],
        attempts: 1, seconds: 0))
  }

  @Test("One line names the sectors that are handed out again, and none of them has another")
  mutating func aLossHasOneLine() {
    #expect(add(.disconnected(b, reason: "silent for 5.0 s"), inFlight: 3) == [])
    #expect(add(lost(17)) == [])
    #expect(add(retried(17)) == [])
    #expect(add(lost(12)) == [])
    #expect(add(retried(12)) == [])
    #expect(add(lost(18)) == [])
    #expect(
      add(retried(18)) == [
        "disconnected b: silent for 5.0 s; 3 sectors are handed out again: 12, 17, 18"
      ])
    #expect(!lines.isHolding)
  }

  @Test("Attempts that end before their system's end is told are in its line too")
  mutating func lossesBeforeTheEnd() {
    #expect(add(lost(17), inFlight: 1) == [])
    #expect(add(retried(17), inFlight: 1) == [])
    #expect(add(.disconnected(b, reason: "it left"), inFlight: 1) == [])
    #expect(add(lost(3)) == [])
    // The third one had not begun, so it is no re-run, and the next event releases the line.
    #expect(
      add(.connected(b)) == [
        "disconnected b: it left; 2 sectors are handed out again: 3, 17", "connected b",
      ])
  }

  @Test("A system that had nothing to do is gone without further words")
  mutating func aLossOfNothing() {
    #expect(add(.disconnected(b, reason: "it left")) == ["disconnected b: it left"])
    #expect(!lines.isHolding)
  }

  @Test("A sector that is given up, or has another attempt in flight, is not handed out again")
  mutating func otherEnds() {
    _ = add(
      .handedOut(.init(task: TaskID(sector: 5), system: "local", attempt: 2, isHedge: true)))
    #expect(add(.disconnected(b, reason: "it left"), inFlight: 2) == [])
    #expect(add(lost(5)) == [])
    #expect(add(lost(6)) == [])
    #expect(
      add(gaveUp(6)) == [
        "disconnected b: it left",
        "gave up 6 after 1 attempt: failed on b: silent for 5.0 s",
      ])
  }

  @Test("Of many sectors ten are named")
  mutating func manySectors() {
    _ = add(.disconnected(b, reason: "it left"), inFlight: 64)
    for sector in 0..<64 { #expect(add(lost(sector)) == []) }
    #expect(
      lines.flush().map(\.text) == [
        "disconnected b: it left; 64 sectors are handed out again: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 54 more"
      ])
  }

  @Test("What is held back comes at the flush or at the run's end")
  mutating func flushes() {
    _ = add(.disconnected(b, reason: "it left"), inFlight: 2)
    _ = add(lost(1))
    #expect(lines.isHolding)
    #expect(
      lines.flush().map(\.text) == ["disconnected b: it left; 1 sector is handed out again: 1"])
    // An attempt that is lost after its system's line has one of its own.
    _ = add(lost(2))
    #expect(
      add(.finished(reason: nil)) == [
        "lost on b: silent for 5.0 s; 1 sector is handed out again: 2"
      ])
  }

  @Test("Once a run stops, lost sectors are left undone")
  mutating func stopping() {
    lines.handsOutAgain = false
    _ = add(.disconnected(b, reason: "it left"), inFlight: 1)
    #expect(add(lost(1)) == [])
    #expect(
      lines.flush().map(\.text) == ["disconnected b: it left; 1 sector is left undone: 1"])
  }

  @Test("A failure that is no loss has its own line")
  mutating func failures() {
    #expect(
      add(.retried(TaskID(sector: 25), FailedAttempt(system: "b", reason: "bad luck")))
        == ["re-run 25: failed on b: bad luck"])
  }
}
