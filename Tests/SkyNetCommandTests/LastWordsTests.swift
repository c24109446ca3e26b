import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand
@testable import SkyNetViews

@Suite("The last words of a run")
struct LastWordsTests {
  private var run = RunView()
  private var tally: Tally

  init() { tally = Tally(total: 200) }

  private mutating func apply(_ events: EngagementEvent...) {
    for event in events {
      run.apply(
        EngagementUpdate(
          run: RunID(), time: Date(timeIntervalSince1970: 1000), event: event,
          tally: Tally(total: 0)))
    }
  }

  private mutating func begin(sectors: Int = 200) {
    run = RunView()
    apply(.began(name: "sky", sectors: sectors, passes: []), .added(tasks: sectors, pass: 0))
    for name in ["a", "b"] {
      let hello = Hello(
        name: name, incarnation: Incarnation(), slots: 4, timeout: .seconds(5), scans: [])
      apply(.connected(RemoteSystem(hello, name: name, address: "10.0.0.1:4000")))
    }
    tally = Tally(total: sectors)
    tally.handedOut(to: "a", at: Instant(sinceOrigin: .seconds(2)))
  }

  private mutating func scan(_ sectors: Range<Int>, by system: String, _ seconds: Double = 1) {
    for sector in sectors {
      apply(
        .handedOut(.init(task: TaskID(sector: sector), system: system)),
        .completed(
          SectorResult(sector: sector, result: 0, system: system, attempts: 1, seconds: seconds)))
      tally.completed(by: system, at: Instant(sinceOrigin: .seconds(19)))
    }
  }

  private mutating func giveUp(_ sector: Int) {
    apply(.failed(SectorFailure(sector: sector, failures: [], attempts: 5, seconds: 1)))
    tally.failed(at: Instant(sinceOrigin: .seconds(19)))
  }

  private func words(
    _ columns: Int = 80, wasStopped: Bool = false, hasFailed: Bool = false,
    _ words: RunWords = RunWords()
  ) -> StyledText {
    LastWords(
      run: run, tally: tally, words: words, localSlots: 4, wasStopped: wasStopped,
      hasFailed: hasFailed
    ).line(columns: columns)
  }

  @Test("They say what was done, how fast, and how much faster than one system alone")
  mutating func good() {
    begin()
    scan(0..<68, by: "local")
    scan(68..<135, by: "a")
    scan(135..<200, by: "b")
    // One system alone would have taken 200 s on four slots, which is 50 s, and all took 17 s.
    let text = "✓ 200 sectors done, 11.8 a second, 2.9 times one system alone"
    #expect(words() == StyledText(text, .good))
    #expect(words(text.count - 1).text == "✓ 200 sectors done, 11.8 a second")
    #expect(words(10).text == "✓ 200 sectors done")
  }

  @Test("A slower system is no gain by the time that it takes")
  mutating func slowHelp() {
    begin(sectors: 100)
    scan(0..<60, by: "local", 1)
    scan(60..<100, by: "a", 60)
    // 100 s on four slots, in 17 s.
    #expect(words().text.hasSuffix(", 5.9 a second, 1.5 times one system alone"))
  }

  @Test("Without a scan of its own, a run is compared with the system that did most")
  mutating func withoutLocal() {
    begin(sectors: 136)
    scan(0..<100, by: "a", 1)
    scan(100..<136, by: "b", 3)
    #expect(words().text.hasSuffix(", 2.0 times one system alone"))
  }

  @Test("One system is not compared with itself, and a short run with none")
  mutating func alone() {
    begin(sectors: 34)
    scan(0..<34, by: "local")
    #expect(words().text == "✓ 34 sectors done, 2.0 a second")
    #expect(LastWords.speedUp(run.systems, localSlots: 4, seconds: 17) == nil)
    scan(0..<1, by: "a")
    #expect(LastWords.speedUp(run.systems, localSlots: 4, seconds: 0.9) == nil)
    #expect(LastWords.speedUp(run.systems, localSlots: 0, seconds: 9) == nil)
    #expect(LastWords.speedUp(run.systems, localSlots: 5, seconds: 7) == 1)
  }

  @Test("Failed sectors, a signal and other errors have their words, in the colour of errors")
  mutating func bad() {
    begin(sectors: 20)
    scan(0..<17, by: "local")
    #expect(words(wasStopped: true).text.hasPrefix("✗ stopped with 17 of 20 sectors done, 1.0 a"))
    giveUp(17)
    giveUp(18)
    #expect(words().text.hasPrefix("✗ 2 of 20 sectors failed, 1.0 a second"))
    begin(sectors: 17)
    scan(0..<17, by: "local")
    #expect(words(hasFailed: true).text.hasPrefix("✗ 17 of 17 sectors done, with errors"))
    #expect(words(hasFailed: true).parts.first?.style == .bad)
  }

  @Test("Results of an earlier process are no part of the pace")
  mutating func restored() {
    begin(sectors: 51)
    for sector in 0..<17 {
      let result = SectorResult(sector: sector, result: 0, system: "a", attempts: 1, seconds: 1)
      apply(.restored(result))
      tally.restored()
    }
    scan(17..<51, by: "local")
    #expect(words().text == "✓ 51 sectors done, 17 of them before, 2.0 a second")
    tally = Tally(total: 51)
    for _ in 0..<51 { tally.restored() }
    #expect(words().text == "✓ 51 sectors done, all of them before")
  }

  @Test("A night counts its images")
  mutating func images() {
    begin(sectors: 0)
    tally = Tally(total: 0)
    tally.handedOut(to: "local", at: Instant(sinceOrigin: .seconds(2)))
    for number in 0..<17 {
      let part = JobPart(number: number, sectors: number * 2..<number * 2 + 2, name: "\(number)")
      apply(.grew(part, expectedParts: 17), .added(tasks: 2, pass: 0))
      tally.grew(by: 2)
      scan(number * 2..<number * 2 + 2, by: "local")
      apply(.partEnded(part))
    }
    let images = RunWords(part: .init("image", "images"))
    #expect(words(80, images).text == "✓ 17 images done, 34 sectors, 2.0 a second")
  }

  @Test(
    "A pace below one a second is by the minute or the hour",
    arguments: [(250.4, "250 a second"), (0.5, "30.0 a minute"), (0.001, "3.6 an hour")])
  func paces(perSecond: Double, words: String) {
    #expect(LastWords.pace(perSecond) == words)
  }
}
