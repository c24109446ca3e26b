import SkyNetCluster
import SkySQLite
import Testing

@testable import SkyNetCore
@testable import SkyNetJournal

/// The parts of a growing job, such as the images of a night.
@Suite("Parts of a job", .timeLimit(.minutes(20)))
struct PartTests {
  @Test("Parts are read by number, with what was recorded last of each")
  func partsAreRead() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    #expect(journal.progress.isGrowing && journal.progress.sectors == 0)
    #expect(try await journal.parts().isEmpty)
    var parts = [JobPart.image(0, 0..<4), .image(1, 4..<4), .image(3, 4..<10)]
    for part in parts.reversed() { journal.record(.part(part)) }
    parts[0].outcome = #"{"state":"done"}"#
    parts[1].facts = "{}"
    for part in parts[...1] { journal.record(.part(part)) }
    await journal.close()
    let next = try await folder.open(sectors: nil)
    #expect(try await next.parts() == parts)
    #expect(next.progress.isResumed && next.progress.sectors == 10)
    await next.close()
  }

  @Test("A part that has no sectors yet can get some, and no part loses any")
  func sectorsAreAdded() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    journal.record(.part(.image(0, 0..<0)))
    journal.record(.part(.image(0, 0..<2)))
    try await journal.commit()
    #expect(try await journal.parts() == [.image(0, 0..<2)])
    journal.record(.part(.image(0, 1..<2)))
    let error = await #expect(throws: JournalError.self) { try await journal.commit() }
    #expect(error?.description.contains("part 0 has lost sectors") == true, "\(error as Any)")
    await journal.close()
  }

  @Test(
    "A part that cannot be one of the job's ends the journal with an error, and is not written",
    arguments: [(3, 3..<9), (1, 9..<12), (-1, 20..<21), (5, 0..<1 << 40), (5, 10..<11)])
  func anImpossiblePartIsAnError(number: Int, sectors: Range<Int>) async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    let known = [JobPart.image(0, 0..<4), .image(2, 4..<10)]
    for part in known { journal.record(.part(part)) }
    try await journal.commit()
    var part = JobPart.image(number, sectors)
    // The last of them could be the job's but for its facts.
    if sectors == 10..<11 { part.facts = String(repeating: "x", count: 2 << 20) }
    journal.record(.part(part))
    let error = await #expect(throws: JournalError.self) { try await journal.commit() }
    #expect(error?.code == .writeFailed)
    await journal.close()
    let next = try await folder.open(sectors: nil)
    #expect(try await next.parts() == known)
    await next.close()
  }

  @Test("A job with a number of sectors has no parts")
  func aFixedJobHasNoParts() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: 10)
    journal.record(.part(.image(0, 0..<4)))
    await #expect(throws: JournalError.self) { try await journal.commit() }
    await journal.close()
  }

  @Test("A job that grows and one with a number of sectors do not continue each other")
  func growingJobsDiffer() async throws {
    for (first, second) in [(nil, 10), (10, nil)] as [(Int?, Int?)] {
      let folder = try Folder()
      await (try folder.open(sectors: first)).close()
      let error = await #expect(throws: JournalError.self) {
        try await folder.open(sectors: second)
      }
      #expect(error?.code == .otherJob)
      #expect(error?.description.contains("growing") == true, "\(error as Any)")
    }
  }

  @Test("A name is cut where no reader would take it")
  func aLongNameIsCut() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    journal.record(
      .part(
        JobPart(number: 0, sectors: 0..<1, name: String(repeating: "ä", count: 9000), facts: "")))
    await journal.close()
    let next = try await folder.open(sectors: nil)
    #expect(try await next.parts().first?.name.count == RowBounds.longestPartName)
    await next.close()
  }

  // MARK: A death

  @Test("A part that was recorded before the process died is there without any result")
  func aDeathBetweenPartAndResult() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    var attempts = Attempts()
    journal.record(.part(.image(0, 0..<3)))
    let (first, second) = (attempts.next(0), attempts.next(1))
    journal.began(first)
    journal.accepted(first, "out 0")
    journal.began(second)
    try await journal.commit()
    // None of these has been written when the process dies.
    journal.accepted(second, "out 1")
    journal.record(.part(.image(1, 3..<5)))
    journal.scanned(attempts.next(3))
    let remains = try folder.afterDeath()
    await journal.close()

    let next = try await remains.open(sectors: nil)
    #expect(try await next.parts() == [.image(0, 0..<3)])
    #expect(next.progress.done == 1 && next.progress.sectors == 3 && !next.progress.isComplete)
    let past = try await next.past(String.self, in: 0..<3, after: nil, limit: 9)
    #expect(past.map(\.id.sector) == [0, 1])
    #expect(past[0].output == "out 0" && past[1].isOpen && past[1].story.deaths == 1)
    // The process that goes on records the same part anew.
    next.record(.part(.image(1, 3..<7)))
    next.scanned(attempts.next(6))
    await next.close()
    let overview = try Overview.read(remains.file(), failures: 9)
    #expect(overview.progress.sectors == 7 && overview.progress.done == 2)
  }

  @Test("An attempt is never in the file without its part")
  func thePartComesWithItsAttempts() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    var attempts = Attempts()
    try await withThrowingTaskGroup { group in
      let commits = try await Commits.of(journal)
      group.addTask { try await journal.run() }
      journal.record(.part(.image(0, 0..<1)))
      journal.began(attempts.next(0))
      for await _ in commits.all {
        let remains = try folder.afterDeath()
        // The check of a sector's part is in each reading.
        if try Overview.read(remains.file(), failures: 0).attempts == 1 { break }
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    await journal.close()
  }

  // MARK: Dropping

  @Test("A dropped part goes with all that was recorded of its sectors, in every pass")
  func aDroppedPartIsGone() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    var attempts = Attempts()
    for number in 0..<3 {
      journal.record(.part(.image(number, 4 * number..<4 * number + 4)))
      for pass in [0, 3] { journal.scanned(attempts.next(4 * number, pass: pass)) }
      journal.began(attempts.next(4 * number + 1))
      journal.record(.gaveUp(TaskID(pass: 1, sector: 4 * number + 3), TaskStory()))
    }
    let late = attempts.next(6)
    journal.began(late)
    journal.record(.droppedPart(1))
    journal.record(.droppedPart(17))
    // What was in flight still ends.
    journal.accepted(late, "late")
    journal.record(.gaveUp(TaskID(sector: 7), TaskStory()))
    try await journal.commit()
    for table in ["attempt", "result", "given_up"] {
      #expect(try await journal.rows("\(table) WHERE sector BETWEEN 4 AND 7") == 0)
      #expect(try await journal.rows("\(table) WHERE sector < 4") > 0)
      #expect(try await journal.rows("\(table) WHERE sector > 7") > 0)
    }
    journal.record(.part(.image(3, 12..<13)))
    journal.scanned(attempts.next(12))
    await journal.close()
    let next = try await folder.open(sectors: nil)
    #expect(try await next.parts().map(\.number) == [0, 2, 3])
    #expect(next.progress.sectors == 9 && next.progress.done == 5 && next.progress.failed == 2)
    await next.close()
  }

  @Test("The last part's sectors can be another's after a process dropped it")
  func droppedSectorsAreUsedAgain() async throws {
    let folder = try Folder()
    let first = try await folder.open(sectors: nil)
    var attempts = Attempts()
    first.record(.part(.image(0, 0..<4)))
    first.scanned(attempts.next(1))
    await first.close()
    let second = try await folder.open(sectors: nil)
    second.record(.droppedPart(0))
    second.record(.part(.image(1, 0..<2)))
    second.scanned(attempts.next(1))
    await second.close()
    let third = try await folder.open(sectors: nil)
    #expect(try await third.parts() == [.image(1, 0..<2)])
    #expect(third.progress.done == 1)
    await third.close()
  }

  // MARK: Restoring

  @Test(
    "The past of a range of sectors is what the whole past has of it", arguments: [1, 2, 3, 100])
  func thePastOfARange(limit: Int) async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    var attempts = Attempts()
    for number in 0..<5 { journal.record(.part(.image(number, 4 * number..<4 * number + 4))) }
    for pass in [0, 1, 5] {
      for sector in 0..<20 where (sector + pass).isMultiple(of: 3) {
        switch (sector + pass) % 4 {
        case 0: journal.record(.gaveUp(TaskID(pass: pass, sector: sector), TaskStory()))
        case 1: journal.began(attempts.next(sector, pass: pass))
        default: journal.scanned(attempts.next(sector, pass: pass))
        }
      }
    }
    await journal.close()
    let next = try await folder.open(sectors: nil)
    next.scanned(attempts.next(9, pass: 1))
    try await next.commit()
    let all = try await next.all().filter { $0.id != TaskID(pass: 1, sector: 9) }
    #expect(all.count == 20)
    for range in [0..<4, 4..<8, 8..<12, 0..<20, 7..<7, 19..<1000, 0..<Int.max] {
      var found: [PastTask] = []
      while true {
        let page = try await next.past(
          String.self, in: range, after: found.last?.id, limit: limit)
        guard !page.isEmpty else { break }
        #expect(page.count <= limit)
        found += page
      }
      let expected = all.filter { range.contains($0.id.sector) }
      #expect(found.map(\.id) == expected.map(\.id), "\(range)")
      #expect(found.map(\.output) == expected.map(\.output))
    }
    await next.close()
  }

  @Test("A past of a range is read by the keys' order alone")
  func thePastIsFoundByItsKeys() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    let plans = try await journal.use { db in
      try [
        "SELECT task FROM result WHERE task > 1 AND task <= 2 ORDER BY task LIMIT 1",
        "SELECT task FROM attempt WHERE task > 1 AND task <= 2 ORDER BY task LIMIT 1",
        "SELECT task FROM given_up WHERE task > 1 AND task <= 2 ORDER BY task LIMIT 1",
        "SELECT \(PartTable.end(ofPartWith: "7"))",
      ].flatMap { try db.rows("EXPLAIN QUERY PLAN " + $0).map { try $0[3] as String } }
    }
    #expect(!plans.isEmpty && plans.allSatisfy { !$0.contains("SCAN attempt") }, "\(plans)")
    #expect(
      plans.allSatisfy { !$0.contains("TEMP B-TREE") && !$0.contains("SCAN part") }, "\(plans)")
    await journal.close()
  }

  @Test("To try failed sectors again opens the parts that they are in")
  func retryingOpensParts() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    var parts = [JobPart.image(0, 0..<2), .image(1, 2..<2), .image(2, 2..<4), .image(3, 4..<6)]
    for index in parts.indices { parts[index].outcome = #"{"state":"failed"}"# }
    for part in parts { journal.record(.part(part)) }
    journal.record(.gaveUp(TaskID(pass: 1, sector: 3), TaskStory()))
    await journal.close()
    let next = try await folder.open(sectors: nil, retryFailed: true)
    #expect(next.progress.failed == 0)
    #expect(try await next.parts().filter { $0.outcome == nil }.map(\.number) == [2])
    await next.close()
  }
}

/// What `skynet runs` and others are told of parts.
@Suite("Telling of a job's parts", .timeLimit(.minutes(20)))
struct PartsOverviewTests {
  @Test("An overview counts parts by how they ended, and names those that failed")
  func theOverview() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    let outcomes = [
      #"{"state":"done","sources":17,"seconds":1.5}"#, nil,
      #"{"state":"failed","reason":"it is no FITS file"}"#, "odd", #"{"state":"failed"}"#,
    ]
    for (number, outcome) in outcomes.enumerated() {
      var part = JobPart.image(number, 2 * number..<2 * number + 2)
      part.outcome = outcome
      journal.record(.part(part))
    }
    var story = TaskStory()
    story.began()
    story.ended(.failed(reason: "broken", seconds: 0), on: Incarnation(), named: "a")
    journal.record(.gaveUp(TaskID(sector: 9), story))
    await journal.close()
    let overview = try Overview.read(folder.file(), failures: 2)
    let parts = try #require(overview.parts)
    #expect(parts.count == 5 && parts.done == 1 && parts.failed == 3 && parts.open == 1)
    #expect(parts.failures.map(\.name) == ["image 2", "image 3"])
    #expect(parts.failures.map(\.outcome.reason) == ["it is no FITS file", "odd"])
    #expect(overview.failures.first?.place == PartPlace(.image(4, 8..<10), sector: 9))
    #expect(overview.failures.first?.place?.sector == 1)
    #expect(!overview.progress.isComplete && overview.progress.sectors == 10)
  }

  @Test("The sectors of a failed part that were never made are not left to do")
  func neverMade() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    var parts = [JobPart.image(0, 0..<4), .image(1, 4..<6), .image(2, 6..<9), .image(3, 9..<10)]
    for index in [0, 1, 3] { parts[index].outcome = #"{"state":"failed"}"# }
    for part in parts { journal.record(.part(part)) }
    // Of the first part another sector was given up in a later pass; the third one has not ended.
    for task in [
      TaskID(sector: 1), TaskID(pass: 1, sector: 2), TaskID(sector: 7), TaskID(sector: 9),
    ] {
      journal.record(.gaveUp(task, TaskStory()))
    }
    await journal.close()
    let progress = try Overview.read(folder.file(), failures: 2).progress
    #expect(progress.failed == 4 && progress.neverMade == 2 && progress.sectors == 10)
  }

  @Test("A job with a number of sectors has no parts to tell of")
  func aFixedJob() async throws {
    let folder = try Folder()
    await (try folder.open()).close()
    #expect(try Overview.read(folder.file(), failures: 2).parts == nil)
  }

  @Test("An outcome is told as far as it is understood")
  func outcomes() {
    #expect(PartOutcome(nil).state == .open)
    let done = PartOutcome(#"{"sources":3,"state":"done","seconds":0.25,"more":[]}"#)
    #expect(done.state == .done && done.sources == 3 && done.seconds == 0.25 && done.reason == nil)
    for odd in [
      "", "{}", #"{"state":"late"}"#, #"{"state":1}"#, #"{"state":"done","sources":"x"}"#,
    ] {
      let outcome = PartOutcome(odd)
      #expect(outcome.state == .other && outcome.reason == odd && outcome.sources == nil)
    }
    let endless = String(repeating: "[", count: 1 << 20)
    #expect(PartOutcome(endless).reason?.count == 300)
    let long = PartOutcome(#"{"state":"failed","reason":"\#(endless)"}"#)
    #expect(long.state == .failed && long.reason?.count == 300)
  }

  @Test("A history has the parts, and finds the one of a sector")
  func theHistory() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    let parts = [JobPart.image(0, 0..<2), .image(1, 2..<2), .image(4, 5..<9)]
    for part in parts { journal.record(.part(part)) }
    await journal.close()
    try RunHistory.read(folder.file()) { history in
      var found: [JobPart] = []
      try history.forEachPart { found.append($0) }
      #expect(found == parts)
      #expect(history.isGrowing && history.sectors == 9 && history.progress.sectors == 6)
      let numbers = try (0..<10).map { try history.part(ofSector: $0)?.number }
      #expect(numbers == [0, 0, nil, nil, nil, 4, 4, 4, 4, nil])
    }
  }
}

extension JobPart {
  static func image(_ number: Int, _ sectors: Range<Int>) -> JobPart {
    JobPart(
      number: number, sectors: sectors, name: "image \(number)", facts: #"{"size":\#(number)}"#)
  }
}
