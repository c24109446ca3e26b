import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetWeb

@Suite("What a page is told of a run")
struct RunFeedTests {
  private let run = ViewedRun()
  private var told = Told()
  private var cursor = RunFeed.Cursor()

  /// The viewer looks.
  private mutating func look() throws -> [String] {
    let cut = run.feed.cut()
    let events = try Told.events(in: run.feed.events(after: cursor, until: cut).bytes)
    told.take(events)
    cursor = cut.cursor
    return events.map(\.name)
  }

  @Test("A viewer that looks now and then knows every sector")
  mutating func everySector() throws {
    _ = try look()
    run.begin(sectors: 500)
    _ = try look()
    for first in stride(from: 0, to: 500, by: 50) {
      run.complete(first..<first + 50, by: first % 100 == 0 ? "a" : "b")
      _ = try look()
    }
    run.apply(.finished(reason: nil))
    _ = try look()
    #expect(told.cells.count == 500)
    #expect(told.cells.values.allSatisfy { $0[0] == 1 && $0[2] == 0 })
    #expect(told.state["completed"] as? Int == 500 && told.state["end"] as? String == "done")
    #expect(told.ended.count == 500 && told.skipped == 0)
    let systems = try #require(told.state["systems"] as? [[String: Any]])
    #expect(systems.map { $0["name"] as? String } == ["a", "b"])
    #expect(systems.map { $0["completed"] as? Int } == [250, 250])
    #expect(systems.map { $0["latency"] as? Double } == [0.25, 0.25])
    #expect((systems[0]["history"] as? [Int])?.count == 59)
  }

  @Test("What a run has come to is told when it has ended, also to those who come later")
  mutating func ending() throws {
    run.begin(sectors: 1)
    run.apply(.finished(reason: nil))
    _ = try look()
    #expect(told.state["summary"] == nil)
    run.feed.ended(
      RunEnding(summary: "1 of 1", documents: [PageDocument(reportOf: "a/b.sqlite") { Data() }]))
    _ = try look()
    #expect(told.state["summary"] as? String == "1 of 1")
    let files = told.state["files"] as? [[String: String]]
    #expect(files == [["kind": "report", "name": "b.html", "url": "report"]])
  }

  @Test("Viewers know what the run did at any time, whenever they come")
  mutating func history() throws {
    run.begin(sectors: 50)
    run.apply(.passRestored(pass: 0, tasks: 10))
    _ = try look()
    run.complete(10..<20, by: "a")
    _ = try look()
    run.complete(20..<50, by: "b")
    run.apply(
      .retried(TaskID(sector: 1), FailedAttempt(system: "b", reason: "simulated failure")),
      .finished(reason: nil))
    _ = try look()
    var late = Told()
    let cut = run.feed.cut()
    late.take(try Told.events(in: run.feed.events(after: RunFeed.Cursor(), until: cut).bytes))
    for told in [told, late] {
      var tasks: [Double: Double] = [:]
      for bin in told.bins {
        for place in stride(from: 2, to: bin.count, by: 2) {
          tasks[bin[place], default: 0] += bin[place + 1]
        }
      }
      #expect(tasks == [0: 10, 1: 30])
      #expect(told.bins.reduce(0) { $0 + $1[1] } == 1)
      #expect(told.marks == ["resumed"])
    }
    #expect(late.bins == told.bins)
  }

  @Test("A viewer that comes late, or was away, is told the present, and how much it missed")
  mutating func lateViewer() throws {
    run.begin(sectors: 5000)
    run.complete(0..<5000)
    for _ in 0..<700 {
      run.apply(
        .retried(TaskID(sector: 1), FailedAttempt(system: "b", reason: "simulated failure")))
    }
    _ = try look()
    #expect(told.cells.count == 5000)
    #expect(told.ended.count == 200 && told.skipped == 4800)
    #expect(told.ended.first?[0] == 4800)
    #expect(told.notices.count == 500 && told.lostNotices == 200)
    let rows = try #require(told.state["systems"] as? [[String: Any]])
    #expect(rows.reduce(0) { $0 + ($1["retried"] as? Int ?? 0) } == 700)
    #expect(told.state["retried"] as? Int == 700 && told.state["failed"] as? Int == 0)
  }

  private func grow(_ number: Int, _ sectors: Range<Int>, of expected: Int? = 60) -> JobPart {
    let part = JobPart(number: number, sectors: sectors, name: "night/\(number).fits")
    run.apply(.grew(part, expectedParts: expected), .added(tasks: sectors.count, pass: 0))
    return part
  }

  @Test("A run over several images tells how many there are, which are scanned, and their sectors")
  mutating func images() throws {
    run.begin(sectors: 0)
    _ = try look()
    #expect(told.state["images"] == nil)
    let first = grow(0, 0..<2)
    _ = grow(1, 2..<3)
    run.complete(0..<2)
    run.apply(.partEnded(first))
    run.handOut(2)
    #expect(try look().contains("images"))
    let images = try #require(told.state["images"] as? [String: Any])
    #expect(images["known"] as? Int == 2 && images["total"] as? Int == 60)
    #expect(images["done"] as? Int == 1 && images["failed"] as? Int == 0)
    #expect(images["now"] as? [String] == ["night/1.fits"])
    #expect(told.images.map { $0["first"] as? Int } == [0, 2])
    #expect(told.images.map { $0["sectors"] as? Int } == [2, 1])
    #expect(told.state["sectors"] as? Int == 3)
    #expect(told.cells.keys.sorted() == [0, 1, 2])
    run.apply(
      .failed(
        SectorFailure(sector: 2, part: "night/1.fits", failures: [], attempts: 1, seconds: 1)))
    #expect(try !look().contains("images"), "the images are those that were told")
    #expect(told.failures.map { $0["image"] as? String } == ["night/1.fits"])
    _ = grow(2, 3..<4)
    _ = try look()
    #expect(told.images.map { $0["name"] as? String }.last == "night/2.fits")
    #expect(told.cells[0]?.first == 1, "what has happened is not told again")
    #expect(told.cells.keys.sorted() == [0, 1, 2, 3])
  }

  @Test("Of many images the latest 4096 are told to a viewer that comes late")
  mutating func manyImages() throws {
    run.begin(sectors: 0)
    for number in 0..<5000 { _ = grow(number, number..<number + 1, of: nil) }
    _ = try look()
    #expect(told.images.count == 4096)
    #expect(told.images.first?["first"] as? Int == 904)
    let images = try #require(told.state["images"] as? [String: Any])
    #expect(images["total"] as? Int == 5000)
  }

  @Test("A second look tells only what has changed")
  mutating func changes() throws {
    run.begin(sectors: 100)
    run.complete(0..<50)
    _ = try look()
    #expect(try look() == ["state", "history", "attempts"])
    run.handOut(70)
    let names = try look()
    #expect(names == ["state", "history", "cells", "attempts"])
    #expect(told.cells[70] == [0, 0, 1, 0, 0] && told.cells.count == 51)
    #expect(told.inFlight.map { $0[0] } == [70])
    run.apply(.finished(reason: "interrupted"))
    _ = try look()
    // Within a second there is nothing to say of a run that has ended, and later only that it has. The second may
    // end between two looks, but not twice.
    let looks = [try look(), try look()]
    #expect(looks.contains([]) && looks.allSatisfy { [[], ["state", "attempts"]].contains($0) })
    #expect(told.state["end"] as? String == "interrupted")
  }

  @Test("The time left counts the passes that are to come, by their weights")
  mutating func timeLeft() throws {
    let (known, unknown) = (RunFeed(weights: [1, 3]), RunFeed())
    let (id, now) = (RunID(), Date.now)
    for feed in [known, unknown] {
      func apply(_ event: EngagementEvent, _ ago: Double) {
        feed.apply(
          EngagementUpdate(
            run: id, time: now.addingTimeInterval(-ago), event: event, tally: Tally(total: 0)))
      }
      apply(.began(name: "sky", sectors: 100, passes: ["background", "detection"]), 50)
      apply(.added(tasks: 100, pass: 0), 50)
      for sector in 0..<50 {
        let task = TaskID(sector: sector)
        apply(.handedOut(.init(task: task, system: "b")), Double(50 - sector))
        apply(.passCompleted(task, system: "b", seconds: 1), Double(49 - sector))
      }
    }
    func left(_ feed: RunFeed) throws -> Double {
      let events = try Told.events(in: feed.events(after: .init(), until: feed.cut()).bytes)
      return try #require(events.first { $0.name == "state" }?.data["secondsLeft"] as? Double)
    }
    // Fifty tasks are left of this pass, and three times a hundred of the next.
    #expect(abs(try left(unknown) - 50) < 15)
    #expect(abs(try left(known) - 350) < 100)
    let state = try Told.events(in: known.events(after: .init(), until: known.cut()).bytes)
    #expect((state.first { $0.name == "state" }?.data["rate"] as? Double ?? 0) > 0.5)
  }

  @Test("What happens between a cut and its events comes with the next ones")
  mutating func afterTheCut() throws {
    run.begin(sectors: 10)
    let cut = run.feed.cut()
    run.complete(0..<10)
    run.fail(3, reason: "late")
    told.take(try Told.events(in: run.feed.events(after: cursor, until: cut).bytes))
    #expect(told.cells.isEmpty && told.ended.isEmpty && told.failures.isEmpty)
    cursor = cut.cursor
    _ = try look()
    #expect(told.cells.count == 10 && told.ended.count == 10 && told.failures.count == 1)
  }

  @Test("Names and reasons of peers are text in JSON, whatever they are")
  mutating func hostileNames() throws {
    let name = "</script><b>\"\\\n\r\u{1B}[2J\u{2028}é"
    run.begin(sectors: 2)
    run.complete(0..<1, by: name)
    run.fail(1, reason: "data: x\n\nevent: state\n\n")
    let cut = run.feed.cut()
    let bytes = run.feed.events(after: cursor, until: cut).bytes
    #expect(!bytes.contains { $0 < 0x20 && $0 != UInt8(ascii: "\n") })
    let events = try Told.events(in: bytes)
    told.take(events)
    #expect((told.state["systems"] as? [[String: Any]])?.first?["name"] as? String == name)
    let reasons = told.failures.first?["reasons"] as? [[String: String]]
    #expect(reasons == [["system": "b", "reason": "data: x\n\nevent: state\n\n"]])
    #expect(events.map(\.name) == ["state", "history", "cells", "attempts", "failures", "notices"])
  }

  @Test("Of many sources the latest are told, and each once")
  mutating func sources() throws {
    run.feed.found((0..<10).map { (x: Double($0), y: 2.5, strength: 100) })
    _ = try look()
    run.feed.found([(x: 10.0, y: 1.0, strength: Double.nan)])
    _ = try look()
    #expect(told.sources.count == 33 && told.sources.suffix(3) == [10, 1, 0])
    run.feed.found((0..<50_000).map { (x: Double($0), y: 0, strength: 1) })
    cursor = RunFeed.Cursor()
    told = Told()
    _ = try look()
    #expect(told.sources.count == 60_000 && told.sources[0] == 30_000)
  }

  @Test("Failures beyond the latest 200 are forgotten")
  mutating func failures() throws {
    run.begin(sectors: 300)
    for sector in 0..<300 { run.fail(sector, reason: "x") }
    _ = try look()
    #expect(told.failures.count == 200 && told.failures.first?["sector"] as? Int == 100)
    #expect(told.state["failed"] as? Int == 300)
  }

  @Test("A run that was given up has an end, and the cut after the end of all is the last one")
  mutating func theEnd() throws {
    run.begin(sectors: 3)
    run.feed.abandoned(for: "stopped")
    _ = try look()
    #expect(told.state["end"] as? String == "stopped")
    #expect(!run.feed.cut().isLast)
    run.feed.end()
    #expect(run.feed.cut().isLast)
  }
}
