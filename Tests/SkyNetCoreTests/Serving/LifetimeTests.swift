import Testing

@testable import SkyNetCore

@Suite("A process with a lifetime")
struct LifetimeTests {
  private let detection = Lifetime.Work(
    ScanKind(name: "sources", version: 3), pass: 1, run: RunID(number: 1))
  private let background = Lifetime.Work(
    ScanKind(name: "sources", version: 3), pass: 0, run: RunID(number: 1))
  /// Of an hour; a scan should have ended a second before its end.
  private var life = Lifetime(
    from: .at(0), lasting: .seconds(3600), drainTimeout: .seconds(10))

  @Test("Work of unknown length is started until the drain timeout is all that is left")
  func unknown() {
    #expect(life.end == .at(3600) && life.deadline == .at(3599.5))
    #expect(life.mayStart(detection, at: .at(3589)))
    #expect(life.departure == .at(3589))
  }

  @Test("Nothing starts that would usually take longer than what is left")
  mutating func known() {
    life.scanned(detection, in: .seconds(60))
    #expect(life.mayStart(detection, at: .at(3539)))
    #expect(!life.mayStart(detection, at: .at(3539.1)))
    #expect(life.departure == .at(3539), "nothing else is known")
  }

  @Test("Each pass and kind has its own length, and the process leaves when none fits")
  mutating func several() {
    life.scanned(detection, in: .seconds(600))
    life.scanned(background, in: .seconds(5))
    #expect(!life.mayStart(detection, at: .at(3500)))
    #expect(life.mayStart(background, at: .at(3500)))
    #expect(life.departure == .at(3594))
  }

  @Test("One long scan among many does not count, and lengths of long ago neither")
  mutating func usual() {
    for _ in 0..<30 { life.scanned(detection, in: .seconds(2)) }
    life.scanned(detection, in: .seconds(900))
    #expect(life.departure == .at(3597))
    for _ in 0..<64 { life.scanned(detection, in: .seconds(7)) }
    #expect(life.departure == .at(3592))
  }

  @Test("A run with other settings has its own lengths")
  mutating func runs() {
    let kind = ScanKind(name: "sources", version: 3)
    let (quick, slow) = (
      Lifetime.Work(kind, pass: 1, run: RunID()), Lifetime.Work(kind, pass: 1, run: RunID())
    )
    life.scanned(quick, in: .seconds(1))
    life.scanned(slow, in: .seconds(600))
    #expect(life.mayStart(quick, at: .at(3500)) && !life.mayStart(slow, at: .at(3500)))
  }

  @Test("Before anything is known of a run, its longest running scan tells")
  mutating func running() {
    #expect(life.mayStart(detection, longestRunning: .seconds(99), at: .at(3500)))
    #expect(!life.mayStart(detection, longestRunning: .seconds(100), at: .at(3500)))
    life.scanned(detection, in: .seconds(5))
    #expect(
      life.mayStart(detection, longestRunning: .seconds(100), at: .at(3500)),
      "completed scans count, not an exception that still runs")
  }

  @Test("A short life keeps most of its time for work")
  func short() {
    let life = Lifetime(from: .at(100), lasting: .seconds(8), drainTimeout: .seconds(10))
    #expect(life.departure == .at(100) + .milliseconds(5600))
    #expect(life.deadline > life.departure && life.deadline < life.end)
  }

  @Test("Passes that clients make up do not fill the memory")
  mutating func bounded() {
    for pass in 0..<1000 {
      let work = Lifetime.Work(
        ScanKind(name: "x", version: 1), pass: pass, run: RunID(number: 1))
      life.scanned(work, in: .seconds(9))
    }
    let table = Mirror(reflecting: life).children.first { $0.label == "lengths" }
    #expect(table.map { Mirror(reflecting: $0.value).children.count } == 256)
    life.scanned(detection, in: .seconds(1000))
    #expect(!life.mayStart(detection, at: .at(3000)), "what is new is learned all the same")
  }
}
