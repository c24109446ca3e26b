import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand
@testable import SkyNetViews

@Suite("The panel of a run")
struct EngageViewTests {
  private var run = RunView()
  private let view = EngageView(localSlots: 4, words: RunWords(part: .init("image", "images")))

  /// Applies events at a time in seconds after the run's beginning.
  private mutating func apply(_ events: EngagementEvent..., at time: Double) {
    for event in events {
      run.apply(
        EngagementUpdate(
          run: RunID(), time: Date(timeIntervalSince1970: 1000 + time), event: event,
          tally: Tally(total: 0)))
    }
  }

  private mutating func scan(_ sectors: Range<Int>, by system: String, at time: Double) {
    for sector in sectors {
      apply(
        .handedOut(.init(task: TaskID(sector: sector), system: system)),
        .completed(
          SectorResult(sector: sector, result: 0, system: system, attempts: 1, seconds: 1)),
        at: time)
    }
  }

  private func system(_ name: String, slots: Int = 4) -> RemoteSystem {
    RemoteSystem(
      Hello(name: name, incarnation: Incarnation(), slots: slots, timeout: .seconds(5), scans: []),
      name: name, address: "10.0.0.1:4000")
  }

  private func lines(_ columns: Int, _ rows: Int, at time: Double) -> [String] {
    view.lines(run, at: 1000 + time, in: WindowSize(columns: columns, rows: rows)).map(\.text)
  }

  /// Three systems after ten seconds, one of them silent.
  private mutating func threeSystems() {
    apply(.began(name: "sky", sectors: 200, passes: []), .added(tasks: 200, pass: 0), at: 0)
    apply(.connected(system("a")), .connected(system("b")), at: 0.1)
    for second in 1...9 {
      let first = (second - 1) * 10
      scan(first..<first + 4, by: "local", at: Double(second))
      scan(first + 4..<first + 8, by: "a", at: Double(second))
      scan(first + 8..<first + 10, by: "b", at: Double(second))
    }
    for sector in 100..<103 {
      apply(.handedOut(.init(task: TaskID(sector: sector), system: "a")), at: 9.5)
    }
    let failed = EngagementEvent.Handout(task: TaskID(sector: 103), system: "b")
    apply(
      .handedOut(failed), .attemptEnded(failed, .failed, reason: "bad luck"),
      .retried(failed.task, FailedAttempt(system: "b", reason: "bad luck")),
      .silent(system("b"), for: .seconds(2)), at: 9.5)
  }

  @Test("In 80 × 24, each system has its slots, rate, counts and what is wrong")
  mutating func usualWindow() {
    threeSystems()
    #expect(
      lines(80, 24, at: 10.9) == [
        "completed 90 of 200  ██████████████████░░░░░░░░░░░░░░░░░░░░░░  14 s left",
        "10.0 tasks/s   0 failed   1 retried   10 s elapsed   3 in flight",
        "connected to 2 systems ··●··",
        "  local  ░░░░  4.0/s  36 done",
        "  a      ███░  4.0/s  36 done",
        "  b      ░░░░  2.0/s  18 done  1 retried  silent for 3 s",
      ])
  }

  @Test("A retried attempt has no colour, and a sector that was given up has that of a fault")
  mutating func colours() {
    threeSystems()
    func styles(of word: String) -> [Style] {
      view.lines(run, at: 1010.9, in: WindowSize(columns: 80, rows: 24)).flatMap(\.parts)
        .filter { $0.text.contains(word) }.map(\.style)
    }
    #expect(styles(of: "retried") == [.plain, .plain])
    #expect(styles(of: "failed") == [.plain])
    apply(.failed(SectorFailure(sector: 103, failures: [], attempts: 5, seconds: 1)), at: 10.5)
    #expect(styles(of: "failed") == [.bad])
  }

  @Test("With several passes the panel counts sectors, and its lines of systems tasks")
  mutating func severalPasses() {
    // A growing job does not name its passes.
    apply(.began(name: "sky", sectors: 4, passes: []), .added(tasks: 4, pass: 0), at: 0)
    for sector in 0..<3 {
      apply(
        .handedOut(.init(task: TaskID(sector: sector), system: "local")),
        .passCompleted(TaskID(sector: sector), system: "local", seconds: 1), at: 1)
    }
    let lines = lines(80, 24, at: 2)
    #expect(lines[0].hasPrefix("completed 0 of 4 "), "\(lines)")
    #expect(lines.last?.hasSuffix("  3 tasks") == true, "\(lines)")
  }

  @Test("A light runs while another system runs scans, and not for one that is silent")
  mutating func light() {
    threeSystems()
    func connection(at time: Double) -> String { lines(80, 24, at: time)[2] }
    #expect(connection(at: 10.9) != connection(at: 11.1))
    apply(.silent(system("a"), for: .seconds(2)), at: 11)
    #expect(connection(at: 11.5) == "connected to 2 systems")
  }

  @Test("In 40 × 10, less important figures are left out")
  mutating func smallWindow() {
    threeSystems()
    #expect(
      lines(40, 10, at: 10.9) == [
        "90 of 200 █████████░░░░░░░░░░░ 14 s left",
        "10.0 tasks/s  0 failed  1 retried",
        "10 s elapsed  3 in flight  2 systems ··●",
        "  local ░░░░ 36 done",
        "  a     ███░ 36 done",
        "  b     ░░░░ 18 done silent for 3 s",
      ])
  }

  @Test("In 20 × 5, there is the progress, what fails, and one system")
  mutating func tinyWindow() {
    threeSystems()
    #expect(
      lines(20, 5, at: 10.9) == [
        "90 of 200 14 s left", "10.0 tasks/s", "b silent for 3 s", "  and 2 more",
      ])
  }

  @Test("No window is exceeded, whatever the systems are called")
  mutating func everyWindow() {
    apply(
      .began(name: "sky", sectors: 1_000_000, passes: ["background", "detection", "components"]),
      .added(tasks: 1_000_000, pass: 0), at: 0)
    for number in 0..<40 {
      let names = ["n\(number)", "火星の望遠鏡\(number)", "👩‍🚀\(number)", "a\u{1B}[2J\(number)"]
      let peer = system(names[number % 4], slots: 1 << (number % 8))
      apply(.connected(peer), at: 0.1)
      scan(number * 10..<number * 10 + 10, by: peer.name, at: 2)
      switch number % 6 {
      case 0: apply(.silent(peer, for: .seconds(2)), at: 3)
      case 1: apply(.paused(peer.name, failures: 5, for: .seconds(9)), at: 3)
      case 2: apply(.disconnected(peer, reason: "not heard from for 5.0 s"), at: 3)
      default: break
      }
    }
    for columns in [1, 2, 5, 10, 20, 29, 30, 40, 59, 60, 80, 132, 300] {
      for rows in [1, 2, 3, 4, 5, 6, 7, 10, 24, 60] {
        let lines = lines(columns, rows, at: 4)
        #expect(lines.count <= rows - 1, "\(columns) × \(rows)")
        #expect(lines.allSatisfy { $0.columns <= columns }, "\(columns) × \(rows): \(lines)")
      }
    }
    #expect(lines(80, 24, at: 4).count == 23)
    #expect(lines(80, 24, at: 4).last == "  and 21 more, 7 of them gone")
    #expect(lines(80, 60, at: 4).count == 43)
  }

  @Test("Of many systems the silent and the busiest are shown, in the order in which they came")
  mutating func busiest() {
    apply(.began(name: "sky", sectors: 10_000, passes: []), at: 0)
    for number in 0..<20 { apply(.connected(system("n\(number)")), at: 0.1) }
    for number in 0..<20 { scan(number * 100..<number * 100 + number + 1, by: "n\(number)", at: 2) }
    apply(.silent(system("n3"), for: .seconds(2)), at: 3)
    let names = lines(80, 10, at: 4).dropFirst(3).map { line in
      line.split(separator: " ").first.map(String.init) ?? ""
    }
    #expect(names == ["n3", "n16", "n17", "n18", "n19", "and"])
    #expect(lines(80, 10, at: 4).last == "  and 15 more")
  }

  @Test("The panel names the pass, and a run that stops says so first")
  mutating func passes() {
    apply(
      .began(name: "sky", sectors: 4, passes: ["background", "detection", "components"]),
      .added(tasks: 4, pass: 0), .added(tasks: 4, pass: 1),
      .handedOut(.init(task: TaskID(pass: 1, sector: 0), system: "local")), at: 0)
    #expect(lines(80, 24, at: 1)[1].hasPrefix("pass 2 of 3, detection   "))
    let stopping = EngageView(localSlots: 4, isStopping: true)
    let lines = stopping.lines(run, at: 1001, in: WindowSize(columns: 80, rows: 24))
    #expect(lines[1].text.hasPrefix("stopping, 1 scan to wait for   pass 2 of 3, detection   "))
  }

  @Test("A failure among a million sectors can be seen in the bar")
  mutating func failures() {
    apply(.began(name: "sky", sectors: 1000, passes: []), .added(tasks: 1000, pass: 0), at: 0)
    scan(0..<500, by: "local", at: 1)
    apply(
      .failed(SectorFailure(sector: 999, failures: [], attempts: 5, seconds: 0)), at: 2)
    #expect(lines(80, 24, at: 3)[0].contains("█▒░"))
    #expect(lines(80, 24, at: 3)[1].contains("1 failed"))
  }

  /// A night of which 41 images have ended and two are being scanned, whose names are long.
  private mutating func night() {
    apply(.began(name: "300 images", sectors: 0, passes: []), .connected(system("a")), at: 0)
    for number in 0..<45 {
      let part = JobPart(
        number: number, sectors: number * 2..<number * 2 + 2,
        name: "/survey/2026/november/24/camera-column-3/frame-\(number).fits")
      apply(.grew(part, expectedParts: 300), .added(tasks: 2, pass: 0), at: Double(number))
      guard number < 43 else { continue }
      guard number < 41 else {
        apply(
          .handedOut(.init(task: TaskID(sector: number * 2), system: "a")), at: Double(number))
        continue
      }
      scan(number * 2..<number * 2 + 2, by: "a", at: Double(number))
      if number == 7 {
        apply(
          .failed(SectorFailure(sector: 14, failures: [], attempts: 5, seconds: 1)),
          at: Double(number))
      }
      apply(.partEnded(part), at: Double(number))
    }
  }

  @Test(
    "A night has its progress by image, and names those that are scanned by the end of their names")
  mutating func images() {
    night()
    let wide = lines(80, 24, at: 45)
    #expect(wide[0].hasPrefix("completed 40 of 300 images  █"), "\(wide[0])")
    #expect(wide[0].hasSuffix(" left"), "\(wide[0])")
    #expect(
      wide[1].hasPrefix("…amera-column-3/frame-41.fits and 1 more   82 of 90 sectors"),
      "\(wide[1])")
    let narrow = lines(40, 10, at: 45)
    #expect(narrow[0].hasPrefix("40 of 300 images "), "\(narrow[0])")
    #expect(narrow[1] == "…amera-column-3/frame-41.fits and 1 more", "\(narrow[1])")
    #expect((wide + narrow).allSatisfy { $0.columns <= 80 })
    #expect(narrow.allSatisfy { $0.columns <= 40 }, "\(narrow)")
  }
}
