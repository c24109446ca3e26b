import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews

@Suite("The failures of a run, at its end")
struct FailureGroupsTests {
  private func lines(_ failures: [(part: String?, reason: String)]) -> [String] {
    var groups = FailureGroups()
    for (sector, failure) in failures.enumerated() {
      groups.add(
        SectorFailure(
          sector: sector, part: failure.part,
          failures: [
            FailedAttempt(system: "a", reason: "out of luck"),
            FailedAttempt(system: "b", reason: failure.reason),
          ],
          attempts: 2, seconds: 0))
    }
    return groups.lines
  }

  @Test("Those with one last reason are one line, with an example, the most frequent first")
  func grouped() {
    #expect(lines([]) == [])
    #expect(
      lines([(nil, "rare"), (nil, "exit status 3: a\nb\nc"), (nil, "exit status 3: a\nb\nc")])
        == ["failed: sector 1 and 1 more: exit status 3: a … c", "failed: sector 0: rare"])
  }

  @Test("A reason that names its input is the same for another input")
  func namedInputs() {
    #expect(
      lines([
        ("a.fits", "exit status 1: /n/a.fits is dark"),
        ("b.fits", "exit status 1: /n/b.fits is dark"),
      ])
        == ["failed: sector 0 of 'a.fits' and 1 more: exit status 1: /n/a.fits is dark"])
    // A digit may be anything.
    #expect(lines([("1", "exit status 1"), ("2", "exit status 1")]).count == 1)
  }

  @Test("Ten reasons are listed, and the others counted")
  func others() {
    let lines = lines((0..<1500).map { (nil, "reason \($0)") })
    #expect(lines.count == 11 && lines[9] == "failed: sector 9: reason 9")
    #expect(lines.last == "failed: 1490 more, for other reasons")
  }
}
