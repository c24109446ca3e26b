import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews

@Suite("Lines of failures while a run goes on")
struct FailureLinesTests {
  private var lines = FailureLines()

  private func retried(
    _ sector: Int, _ reason: String = "bad luck", on system: String = "a", of part: String? = nil
  ) -> EventLines.Line {
    let attempt = FailedAttempt(system: system, reason: reason)
    return EventLines.Line(
      "re-run \(sector): failed on \(system): \(reason)", .rerun,
      failure: FailureNotice(sector, of: part, attempt))
  }

  private func gaveUp(_ sector: Int, _ reason: String = "bad luck") -> EventLines.Line {
    let attempt = FailedAttempt(system: "a", reason: reason)
    return EventLines.Line(
      "gave up \(sector) after 5 attempts: failed on a: \(reason) (5 times)", .gaveUp,
      failure: FailureNotice(sector, of: nil, attempt))
  }

  @Test("Sixty failures with one reason are the first, and one line with the count and an example")
  mutating func sixty() {
    #expect(lines.add(gaveUp(0), at: 10) == gaveUp(0))
    for sector in 1..<60 { #expect(lines.add(gaveUp(sector), at: 10.1) == nil) }
    #expect(lines.isHolding)
    #expect(lines.due(at: 10.9) == [])
    #expect(
      lines.due(at: 11).map(\.text) == ["gave up 59 more sectors, such as 59: bad luck"])
    #expect(!lines.isHolding)
  }

  @Test("A single further failure keeps its own line")
  mutating func single() {
    _ = lines.add(retried(3), at: 10)
    #expect(lines.add(retried(4, on: "b"), at: 10.5) == nil)
    #expect(lines.due(at: 11) == [retried(4, on: "b")])
  }

  @Test("The pause doubles while there are more, and a reason that was not heard of begins anew")
  mutating func pauses() {
    _ = lines.add(retried(0), at: 0)
    var times: [Int] = []
    for tenths in 1...1000 {
      #expect(lines.add(retried(tenths), at: Double(tenths) / 10) == nil)
      if !lines.due(at: Double(tenths) / 10).isEmpty { times.append(tenths / 10) }
    }
    #expect(times == [1, 3, 7, 15, 31, 63, 95])
    #expect(lines.due(at: 130).count == 1)
    #expect(lines.add(retried(7), at: 162) == retried(7))
  }

  @Test(
    "Kinds and reasons are told apart, and a reason that names its input is the same for others")
  mutating func kinds() {
    #expect(lines.add(retried(0), at: 0) != nil)
    #expect(lines.add(gaveUp(0), at: 0) != nil)
    #expect(lines.add(retried(0, "other luck"), at: 0) != nil)
    #expect(lines.add(retried(1, "a.fits is dark", of: "a.fits"), at: 0) != nil)
    #expect(lines.add(retried(2, "b.fits is dark", of: "b.fits"), at: 0) == nil)
    #expect(lines.add(retried(3, "c.fits is dark", of: "c.fits"), at: 0) == nil)
    #expect(
      lines.flush().map(\.text)
        == ["re-run 2 more sectors, such as sector 3 of 'c.fits': c.fits is dark"])
  }

  @Test("However many reasons there are, the lines are few, and all else comes at once")
  mutating func bounded() {
    let shown = (0..<1000).count { lines.add(retried($0, "reason \($0)"), at: 0) != nil }
    #expect(shown == FailureLines.limit + 1)
    #expect(lines.due(at: 1).map(\.text).first?.hasPrefix("re-run 949 more sectors") == true)
    let joined = EventLines.Line("connected b", .joined, isFault: false)
    #expect(lines.add(joined, at: 1) == joined)
  }
}
