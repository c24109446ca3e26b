import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal
import SkyNetReport
import SkyNetViews
import Testing

@Suite("A run's report")
struct RunReportTests {
  /// A run of six sectors on two systems: four done, one retried, one given up, one in flight when the process
  /// is killed.
  private static func killedRun() async throws -> TestJournal {
    let journal = try TestJournal()
    let store = try await journal.open(sectors: 6, setup: TestJournal.setup)
    var attempts = TestAttempts()
    store.changed(
      attempts.system("local"), "local", .connected(address: "", slots: 2, version: "1"))
    store.changed(
      attempts.system("b"), "b", .connected(address: "[::1]:4001", slots: 3, version: "2"))
    for sector in 0..<3 {
      let attempt = attempts.next(sector, on: sector == 0 ? "local" : "b")
      store.began(attempt)
      store.done(attempt, seconds: 0.25 * Double(sector + 1))
    }
    let failing = attempts.next(3)
    store.began(failing)
    store.record(.ended(failing, .failed(reason: "<broken>", seconds: 0.1)))
    let second = attempts.next(3, on: "local", ordinal: 2)
    store.began(second)
    store.done(second)
    var story = TaskStory()
    for ordinal in 1...2 {
      let attempt = attempts.next(4, ordinal: ordinal)
      store.began(attempt)
      store.record(.ended(attempt, .failed(reason: "<broken>", seconds: 0.1)))
      story.began()
      story.ended(
        .failed(reason: "<broken>", seconds: 0.1), on: attempts.system("b"), named: "b")
    }
    store.record(.gaveUp(TaskID(sector: 4), story))
    store.changed(attempts.system("b"), "b", .silent(seconds: 1.5))
    store.changed(attempts.system("b"), "b", .disconnected(reason: "gone"))
    store.began(attempts.next(5, on: "local"))
    try await store.commit()
    let remains = try journal.afterDeath()
    await store.close()
    return remains
  }

  @Test("The report of a night says which image a sector belongs to")
  func aNight() async throws {
    let journal = try TestJournal()
    let store = try await journal.open(sectors: nil, setup: TestJournal.setup)
    var attempts = TestAttempts()
    var parts = ["a.fits", "b.fits", "<c>.fits"].enumerated().map { number, name in
      JobPart(number: number, sectors: 3 * number..<3 * number + 3, name: name, facts: "{}")
    }
    for part in parts { store.record(.part(part)) }
    for sector in [0, 1, 2, 6, 8] {
      let attempt = attempts.next(sector)
      store.began(attempt)
      store.done(attempt, seconds: sector == 8 ? 9 : 0.1)
    }
    var story = TaskStory()
    for ordinal in 1...2 {
      let attempt = attempts.next(7, ordinal: ordinal)
      store.began(attempt)
      store.record(.ended(attempt, .failed(reason: "broken", seconds: 0.1)))
      story.began()
      story.ended(.failed(reason: "broken", seconds: 0.1), on: attempts.system("b"), named: "b")
    }
    store.record(.gaveUp(TaskID(sector: 7), story))
    parts[0].outcome = #"{"state":"done"}"#
    parts[2].outcome = #"{"state":"failed","reason":"broken"}"#
    for number in [0, 2] { store.record(.part(parts[number])) }
    try await store.commit()
    let open = try journal.report()
    #expect(open.end == "unfinished" && open.sectorCount == 9 && open.scene.grid == nil)
    let overview = try #require(open.partsOverview)
    #expect(overview.done == 1 && overview.failed == 1 && overview.open == 1)
    #expect(open.lines.contains("images    1 of 3 done, 1 failed, 1 open"), "\(open.lines)")
    #expect(
      open.lines.contains { $0.hasPrefix("slowest   sector 8 (sector 2 of <c>.fits): 9.00 s") },
      "\(open.lines)")
    #expect(
      open.notices.contains { $0.text.contains("7 of <c>.fits") || $0.text.contains("<c>.fits") },
      "\(open.notices.map(\.text))")
    let json = String(decoding: open.json, as: UTF8.self)
    #expect(json.contains(#""image":"\u003cc>.fits","sectorOfImage":1"#), "\(json)")
    #expect(json.contains(#"{"name":"\u003cc>.fits","first":6,"sectors":3}"#), "\(json)")
    // The changed image is scanned anew, and all of the night has ended.
    store.record(.droppedPart(1))
    await store.close()
    let ended = try journal.report()
    #expect(ended.end == "done" && ended.sectorCount == 6 && ended.sectors == 9)
  }

  @Test("The report of a killed run has its counts, attempts, systems and failures")
  func aKilledRun() async throws {
    let report = try await Self.killedRun().report("night.sqlite")
    #expect(report.sectors == 6 && report.completed == 4 && report.failed == 1)
    #expect(report.retried == 2 && report.hedged == 0)
    #expect(report.end == "unfinished" && report.name == "night.fits")
    #expect(report.passes == ["background", "detection"])
    #expect(report.run != nil && report.journal == "night.sqlite")
    #expect(report.processes.count == 1 && report.processes[0].ended == nil)
    #expect(abs(report.began - Date().timeIntervalSince1970) < 3600)

    guard case .attempts(let rows) = report.course else {
      Issue.record("a short run is told attempt by attempt")
      return
    }
    #expect(rows.count == 8)
    #expect(rows.map(\.began) == rows.map(\.began).sorted())
    #expect(rows.filter { $0.ending == 0 }.map(\.task.sector).sorted() == [0, 1, 2, 3])
    #expect(rows.filter { $0.ending == 1 }.map(\.task.sector).sorted() == [3, 4, 4])
    let lost = rows.filter { $0.ending == 2 }
    #expect(lost.map(\.task.sector) == [5] && lost.allSatisfy { $0.took >= 0 })
    #expect(rows.filter { $0.reason >= 0 }.allSatisfy { report.reasons[$0.reason] == "<broken>" })

    #expect(report.systems.map(\.name).sorted() == ["b", "local"])
    let b = try #require(report.systems.first { $0.name == "b" })
    #expect(b.slots == 3 && b.address == "[::1]:4001" && b.version == "2")
    #expect(b.changes.map(\.word) == ["connected", "silent", "disconnected"])
    #expect(b.changes.map(\.note) == ["", "for 1.5 s", "gone"])
    let failure = try #require(report.failures.first)
    #expect(report.failures.count == 1 && failure.task.sector == 4 && failure.attempts == 2)
    #expect(
      failure.reasons.allSatisfy {
        report.systems[$0.system].name == "b" && report.reasons[$0.reason] == "<broken>"
      })
  }

  @Test("The summary tells the slowest sector and system, the retries and what was lost by them")
  func theSummary() async throws {
    let report = try await Self.killedRun().report("night.sqlite")
    let summary = report.summary
    #expect(summary.slowestSectors.first?.task.sector == 2)
    #expect(summary.slowestSectors.count == 4)
    #expect(
      summary.retries.map(\.task.sector) == [3, 4] || summary.retries.map(\.task.sector) == [4, 3])
    #expect(summary.retries.first { $0.task.sector == 3 }?.isDone == true)
    #expect(summary.retries.first { $0.task.sector == 4 }?.isDone == false)
    #expect(summary.reasons.map(\.count) == [3])
    let rows = summary.systems.map { ($0.retried, report.systems[$0.system].name) }
    #expect(rows.first { $0.1 == "b" }?.0 == 2 && rows.first { $0.1 == "local" }?.0 == 0)
    #expect(
      summary.reading.contains { $0.hasPrefix("3 attempts ended without an output") },
      "\(summary.reading)")
    #expect(summary.ideal <= summary.makespan)
    #expect(
      summary.reading.contains { $0.contains("1 sector of 6 have neither") }, "\(summary.reading)")
    #expect(summary.reading.contains { $0.contains("<broken> (3 times)") }, "\(summary.reading)")
    let lines = report.lines
    #expect(lines[0].hasPrefix("night.fits: 4 of 6 sectors, 1 failed, 2 retried"), "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("busiest ") } && lines.contains { $0.hasPrefix("ideal ") })
  }

  @Test("The notices are those of the run, by their time")
  func theNotices() async throws {
    let report = try await Self.killedRun().report("night.sqlite")
    let texts = report.notices.map(\.text)
    #expect(texts.contains("connected b") && texts.contains("disconnected b: gone"))
    #expect(texts.contains("re-run 3: failed on b: <broken>"))
    #expect(
      texts.contains("gave up 4 after 2 attempts: failed on b: <broken> (2 times)"), "\(texts)")
    #expect(report.notices.map(\.at) == report.notices.map(\.at).sorted())
    #expect(report.notices.filter(\.isFault).allSatisfy { !$0.text.hasPrefix("re-run") })
    #expect(report.noticesLeftOut == 0)
  }

  @Test("The data is JSON as the page reads it, and no text in it can end a script")
  func theData() async throws {
    let report = try await Self.killedRun().report("</script>")
    let json = report.json
    #expect(!json.contains(UInt8(ascii: "<")))
    struct Data1: Decodable {
      struct Attempts: Decodable {
        let began: [Int], took: [Int], sector: [Int]
        let pass: Int, hedge: Int
        let system: [Int], ending: [Int], ends: [Int]
      }
      let v: Int, kind: String, journal: String, reasons: [String]
      let attempts: Attempts
      let sectors: Int, length: Int
    }
    let data = try JSONDecoder().decode(Data1.self, from: Data(json))
    #expect(data.v == 1 && data.kind == "report" && data.journal == "</script>")
    #expect(data.reasons == ["<broken>"] && data.sectors == 6)
    #expect(data.attempts.began.count == 8 && data.attempts.took.count == 8)
    #expect(data.attempts.began.allSatisfy { $0 >= 0 } && data.attempts.pass == 0)
    #expect(data.attempts.began.reduce(0, +) <= data.length)
    #expect(data.attempts.ends == data.attempts.ending.map { $0 == 0 ? 1 : 0 })
  }

  @Test(
    "A run that went on in another process is told with both, and has no idle time between them")
  func twoProcesses() async throws {
    let first = try await Self.killedRun()
    let store = try await first.open(sectors: 6, setup: TestJournal.setup)
    var attempts = TestAttempts()
    let attempt = attempts.next(5, on: "c")
    store.began(attempt)
    store.done(attempt)
    await store.close()
    let report = try first.report()
    #expect(report.end == "done" && report.completed == 5)
    #expect(report.processes.count == 2 && report.processes[1].ended != nil)
    #expect(report.summary.reading.contains { $0.hasPrefix("The run was begun 2 times") })
    let c = try #require(report.systems.first { $0.name == "c" })
    #expect(c.slots == nil && c.changes.isEmpty)
  }

  @Test("What a killed process had in flight ended with it, however long the run went on later")
  func attemptsOfTheDead() async throws {
    let first = try await Self.killedRun()
    let died = Date().timeIntervalSince1970
    let store = try await first.open(sectors: 6, setup: TestJournal.setup)
    var attempts = TestAttempts()
    let attempt = attempts.next(5, on: "c")
    store.began(attempt)
    store.done(attempt)
    await store.close()
    let report = try first.report()
    guard case .attempts(let rows) = report.course else {
      Issue.record("a short run is told attempt by attempt")
      return
    }
    let lost = try #require(rows.first { $0.ending == 2 })
    #expect(lost.task.sector == 5 && lost.took >= 0)
    #expect(report.began + Double(lost.began + lost.took) / 1000 <= died + 0.002)
  }

  @Test("A run that goes on has attempts in flight")
  func attemptsOfTheLiving() async throws {
    let journal = try TestJournal()
    let store = try await journal.open(sectors: 2, setup: TestJournal.setup)
    var attempts = TestAttempts()
    store.began(attempts.next(0))
    try await store.commit()
    let report = try journal.report()
    await store.close()
    guard case .attempts(let rows) = report.course else {
      Issue.record("a short run is told attempt by attempt")
      return
    }
    #expect(rows.map(\.took) == [-1] && rows.map(\.ending) == [4])
  }

  @Test("The run over its whole time is that which viewers of the running one were told")
  func theCurve() async throws {
    let report = try await Self.killedRun().report()
    let changes = report.curve.changes()
    let bins = (0..<report.curve.count).map(report.curve.bin)
    #expect(bins.flatMap(\.done).reduce(0) { $0 + $1.tasks } == 4)
    #expect(bins.reduce(0) { $0 + $1.retried } == report.retried)
    #expect(changes.marks.map(\.kind) == [.joined, .died])
    let b = try #require(report.systems.firstIndex { $0.name == "b" })
    #expect(changes.marks.allSatisfy { $0.row == b })
    let json = try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any]
    let history = try #require(json?["history"] as? [String: Any])
    #expect((history["bins"] as? [[Any]])?.count == bins.count && history["first"] as? Int == 0)
  }

  @Test("A journal that nobody wrote attempts to has a report")
  func anEmptyRun() async throws {
    let journal = try TestJournal()
    await (try await journal.open(sectors: 3)).close()
    let report = try journal.report()
    #expect(report.sectors == 3 && report.completed == 0 && report.end == "interrupted")
    #expect(try JSONSerialization.jsonObject(with: Data(report.json)) is [String: Any])
    #expect(report.lines[0].hasPrefix("test/1: 0 of 3 sectors"), "\(report.lines)")
  }
}
