import SkyFiles
import SkyNetCore
import SkyTestSupport
import Synchronization
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// Images of a night in a folder, and the supply that opens them.
private struct Frames {
  let folder: TemporaryFolder
  let paths: [String]

  /// Draws images of these sides.
  init(_ sizes: [(width: Int, height: Int)]) async throws {
    folder = try TemporaryFolder()
    var paths: [String] = []
    for (number, size) in sizes.enumerated() {
      let path = folder.file("frame\(number).fits")
      try await SyntheticSky(
        width: size.width, height: size.height, starCount: 5 + number, seed: UInt64(number + 1)
      ).write(to: path)
      paths.append(path)
    }
    self.paths = paths
  }

  func job(_ number: Int, side: Int = 128) async throws -> ImageJob {
    try ImageJob(image: try await FITSImage.open(paths[number]), sectorSide: side)
  }

  /// A supply of these images, in which some cannot be opened.
  func supply(limit: Int = 8, side: Int = 128, unreadable: Set<Int> = []) -> NightSupply {
    let next = Mutex(0)
    return NightSupply(limit: limit) {
      let number = next.withLock { next in
        defer { next += 1 }
        return next
      }
      guard number < paths.count else { return nil }
      let opened: NightSupply.Opened =
        unreadable.contains(number)
        ? .failure(UnreadableImage("frame\(number).fits: it is truncated"))
        : .success(try await job(number, side: side))
      return .image(name: "frame\(number).fits", facts: "facts \(number)", known: nil, opened)
    }
  }
}

private func night(_ supply: NightSupply, inOneTask: Bool = true, count: Int? = nil) throws
  -> NightJob
{
  try NightJob(
    name: "night", supply: supply, facts: [JobIdentity.Fact("threshold", "2")],
    inOneTask: inOneTask, count: { count })
}

/// Adds the next image and runs all of its tasks. Returns its part; `nil` if none is left.
private func scanNext(_ job: inout NightJob, givingUp: Set<Int> = []) async throws -> JobPart? {
  guard let part = try await job.nextPart() else { return nil }
  guard case .tasks(var ranges) = try job.add(part) else {
    job.ended(part)
    return part
  }
  while !ranges.isEmpty {
    let range = ranges.removeFirst()
    for number in range.sectors {
      let task = TaskID(pass: range.pass, sector: number)
      guard !givingUp.contains(number) else {
        job.gaveUp(task, reason: "it was given up")
        continue
      }
      let sector = try await job.sector(for: task)
      let found = try await SourceScan().run(sector, settings: job.settings(for: task))
      try job.check(found, for: task)
      let (size, limit) = (try size(of: found), job.outputLimit(for: task))
      #expect(size.json <= limit.json && size.bulk <= limit.bulk)
      ranges += try job.receive(found, for: task).added
    }
  }
  job.ended(part)
  return part
}

/// The images that a night has finished so far.
private func finished(_ job: NightJob, _ count: Int) async -> [FinishedImage] {
  var images: [FinishedImage] = []
  for await image in job.finished {
    images.append(image)
    if images.count == count { break }
  }
  return images
}

@Suite("The scan of a night", .timeLimit(.minutes(20)))
struct NightJobTests {
  @Test(
    "Each image's catalogue is that of the image alone, in one task or cut",
    arguments: [true, false])
  func catalogues(inOneTask: Bool) async throws {
    let frames = try await Frames([(100, 90), (300, 200), (128, 128)])
    let supply = frames.supply()
    var job = try night(supply, inOneTask: inOneTask, count: 3)
    #expect(job.sectorCount == 0 && job.expectedParts == 3)
    var parts: [JobPart] = []
    for _ in 0..<3 { parts.append(try #require(try await scanNext(&job))) }
    #expect(parts.map(\.number) == [0, 1, 2])
    #expect(parts.map(\.sectors) == [0..<1, 1..<7, 7..<8])
    #expect(parts.map(\.name) == ["frame0.fits", "frame1.fits", "frame2.fits"])
    #expect(parts.map(\.facts) == ["facts 0", "facts 1", "facts 2"])
    for (number, image) in await finished(job, 3).enumerated() {
      #expect(image.part == parts[number])
      #expect(image.failure == nil)
      let scanned = try #require(image.image)
      #expect(scanned.isOneTask == (inOneTask && number != 1))
      #expect(scanned.counts.count == parts[number].sectors.count)
      var alone = try await frames.job(number)
      try await scanAll(&alone)
      #expect(
        try await scanned.job.table(Column.allCases).csv == alone.table(Column.allCases).csv)
      #expect(scanned.counts.values.reduce(0, +) == alone.catalog.sources.count)
    }
  }

  @Test("Images of different settings are told apart by their groups")
  func groups() async throws {
    let frames = try await Frames([(64, 64), (300, 200)])
    var job = try night(frames.supply())
    let one = try #require(try await job.nextPart())
    _ = try job.add(one)
    let two = try #require(try await job.nextPart())
    _ = try job.add(two)
    let (first, second) = (TaskID(pass: 4, sector: 0), TaskID(sector: 3))
    #expect(job.settingsGroup(of: first) == 0)
    #expect(job.settingsGroup(of: second) == 1)
    #expect(job.settings(for: first).grid.width == 64)
    #expect(job.settings(for: second).grid.width == 300)
    let nowhere = TaskID(sector: 7)
    #expect(job.outputLimit(for: nowhere) == OutputLimit(json: 0, bulk: 0))
    await #expect(throws: InvalidScan.self) { _ = try await job.sector(for: nowhere) }
    let found = SourceScan.Findings(.sources(SourceList([]), fragments: []))
    #expect(throws: InvalidScan.self) { try job.check(found, for: nowhere) }
    #expect(throws: InvalidScan.self) { _ = try job.receive(found, for: nowhere) }
    // Findings of a whole image are none of an image that is cut.
    #expect(throws: InvalidScan.self) { try job.check(found, for: TaskID(pass: 4, sector: 3)) }
    job.gaveUp(nowhere, reason: "nobody knows it")
  }

  @Test("An image that cannot be opened fails with its reason, and the night goes on")
  func unreadable() async throws {
    let frames = try await Frames([(64, 64), (64, 64), (64, 64)])
    var job = try night(frames.supply(unreadable: [1]))
    for _ in 0..<3 { _ = try await scanNext(&job) }
    let images = await finished(job, 3)
    #expect(images.map(\.failure) == [nil, "frame1.fits: it is truncated", nil])
    #expect(images[1].image == nil)
    #expect(images[1].part.sectors == 1..<2, "it has one sector, which fails")
    #expect(images[2].part.sectors == 2..<3)
  }

  @Test(
    "An image with a sector that was given up has the first reason, and its other sectors' sources")
  func givenUp() async throws {
    let frames = try await Frames([(300, 100)])
    var job = try night(frames.supply())
    _ = try await scanNext(&job, givingUp: [1])
    let image = try #require(await finished(job, 1).first)
    #expect(image.failure == "it was given up")
    #expect(image.image?.counts.isEmpty == true, "the background needs every sector")
  }

  @Test(
    "After the end of the engagement, the images that are finished are still there, and then no more"
  )
  func stops() async throws {
    let frames = try await Frames([(64, 64), (64, 64)])
    var job = try night(frames.supply())
    for _ in 0..<2 { _ = try await scanNext(&job) }
    job.stopFinishing()
    var count = 0
    for await _ in job.finished { count += 1 }
    #expect(count == 2)
  }

  @Test("The identity has the options, and no image")
  func identity() async throws {
    let frames = try await Frames([(64, 64)])
    let (one, other) = (try night(frames.supply()), try night(frames.supply(side: 64), count: 9))
    let identity = try await one.identity()
    #expect(try await other.identity() == identity)
    #expect(identity.facts.contains(JobIdentity.Fact("threshold", "2")))
    #expect(identity.facts.contains { $0.name == "scan" && $0.value == "\(SourceScan.kind)" })
  }

  @Test("A part that an earlier process finished gives the numbers of its sources")
  func results() async throws {
    let frames = try await Frames([(64, 64)])
    let job = try night(frames.supply())
    var outcome = NightOutcome(state: .done)
    outcome.counts = [5, 0, 7]
    let part = JobPart(number: 0, sectors: 10..<13, name: "a", outcome: outcome.text)
    #expect((10..<13).map { job.result(ofSector: $0, in: part) as? Int } == [5, 0, 7])
    #expect(job.result(ofSector: 13, in: part) == nil)
    #expect(job.result(ofSector: 9, in: part) == nil)
    #expect(
      job.result(ofSector: 10, in: JobPart(number: 0, sectors: 10..<13, name: "a")) == nil)
  }
}

@Suite("The supply of a night's images", .timeLimit(.minutes(20)))
struct NightSupplyTests {
  /// A supply that counts how many images it has opened, without any files.
  private func supply(
    _ count: Int, limit: Int, opened: Mutex<Int>.Box
  ) -> NightSupply {
    NightSupply(limit: limit) {
      let number = opened.value.withLock { opened in
        defer { opened += 1 }
        return opened
      }
      guard number < count else { return nil }
      return .image(
        name: "\(number)", facts: "", known: nil, .failure(UnreadableImage("closed")))
    }
  }

  @Test("At most so many images are open, and closing one lets the next one be opened")
  func bounded() async throws {
    let opened = Mutex<Int>.Box(0)
    let supply = supply(5, limit: 2, opened: opened)
    let one = try #require(try await supply.nextPart())
    let two = try #require(try await supply.nextPart())
    let third = Task { try await supply.nextPart() }
    for _ in 0..<100 { await Task.yield() }
    #expect(opened.value.withLock { $0 } == 2)
    // That the scan of an image has ended is not enough: its outputs have to be written.
    _ = supply.take(one)
    for _ in 0..<100 { await Task.yield() }
    #expect(opened.value.withLock { $0 } == 2)
    supply.closed(two)
    #expect(try await third.value?.number == 2)
    supply.closed(one)
    #expect(try await supply.nextPart()?.number == 3)
  }

  @Test("No part is left only when the outputs of all images are written")
  func lastOutput() async throws {
    let supply = supply(2, limit: 8, opened: Mutex<Int>.Box(0))
    let one = try #require(try await supply.nextPart())
    let two = try #require(try await supply.nextPart())
    let end = Task { try await supply.nextPart() }
    supply.closed(two)
    for _ in 0..<100 { await Task.yield() }
    supply.closed(one)
    #expect(try await end.value == nil)
    #expect(try await supply.nextPart() == nil)
  }

  @Test("Cancelling ends both waits: for an image to be closed, and for the last output")
  func cancelling() async throws {
    for count in [1, 5] {
      let supply = supply(count, limit: 1, opened: Mutex<Int>.Box(0))
      _ = try await supply.nextPart()
      let waiting = Task { try await supply.nextPart() }
      for _ in 0..<100 { await Task.yield() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test("An error of the images' source is the supply's")
  func throwing() async throws {
    struct Broken: Error {}
    let supply = NightSupply(limit: 1) { throw Broken() }
    await #expect(throws: Broken.self) { try await supply.nextPart() }
  }

  @Test("New parts come after those of earlier processes, and known images keep theirs")
  func numbers() async throws {
    let known = JobPart(number: 3, sectors: 10..<11, name: "known", facts: "old")
    let done = JobPart(number: 7, sectors: 20..<24, name: "done", outcome: "{}")
    let next = Mutex(0)
    let supply = NightSupply(limit: 8) {
      switch next.withLock({ next in
        defer { next += 1 }
        return next
      }) {
      case 0:
        .image(
          name: "new", facts: "new", known: nil, .failure(UnreadableImage("none")))
      case 1: .finished(done)
      case 2:
        .image(
          name: "known", facts: "new facts", known: known, .failure(UnreadableImage("none")))
      default: nil
      }
    }
    supply.begin(after: [known, done])
    let new = try #require(try await supply.nextPart())
    #expect(new.number == 8)
    #expect(new.sectors == 24..<25)
    #expect(supply.take(new) != nil)
    #expect(supply.take(new) == nil, "an image is taken once")
    #expect(try await supply.nextPart() == done)
    #expect(supply.take(done) == nil)
    #expect(try await supply.nextPart()?.number == 3)
  }

  @Test("Whether there is work is known by opening no more than the first image that has some")
  func work() async throws {
    let frames = try await Frames([(100, 90), (100, 90), (100, 90)])
    let work = frames.supply(unreadable: [0])
    #expect(try await work.hasWork())
    var parts: [JobPart] = []
    for _ in 0..<3 { parts.append(try #require(try await work.nextPart())) }
    #expect(parts.map(\.name) == ["frame0.fits", "frame1.fits", "frame2.fits"])

    let opened = Mutex<Int>.Box(0)
    let none = supply(5, limit: 8, opened: opened)
    #expect(try await !none.hasWork())
    for number in 0..<5 {
      let part = try #require(try await none.nextPart())
      #expect(part.name == "\(number)")
      none.closed(part)
    }
    #expect(try await none.nextPart() == nil)
  }
}

extension Mutex where Value == Int {
  /// A count that closures share.
  final class Box: Sendable {
    let value: Mutex<Int>

    init(_ count: Int) { value = Mutex(count) }
  }
}

@Suite("What a journal keeps of a night's images")
struct NightFactsTests {
  @Test("Facts and outcomes are read as they were written, and anything else is none")
  func coding() throws {
    var facts = NightFacts(place: .init(path: "/data/a.fits", choice: "2"))
    facts.inputs = [.init(path: "/data/w.fits", state: nil, contents: "c")]
    facts.configuration = "/data/a.sex"
    facts.contents = "abc"
    facts.settings = ["threshold: 2", "a \"name\": b"]
    #expect(NightFacts(facts.text) == facts)
    #expect(NightFacts("") == nil && NightFacts("{}") == nil && NightFacts("[1") == nil)

    var outcome = NightOutcome(state: .failed)
    outcome.reason = "not a FITS file: \u{1B}[31m 星"
    outcome.systems = ["b": 3]
    outcome.seconds = 1.5
    #expect(NightOutcome(outcome.text) == outcome)
    #expect(NightOutcome(nil) == nil && NightOutcome("") == nil)
    #expect(NightOutcome(#"{"state":"unknown"}"#) == nil)
    // The same facts are the same text, so that a journal need not be written anew.
    #expect(NightFacts(facts.text)?.text == facts.text)
  }

  @Test("A path is absolute, so that a later process in another folder finds the image")
  func paths() {
    let here = NightFacts.Place(path: "a.fits", choice: nil)
    #expect(here.path.text.hasPrefix("/") && here.path.text.hasSuffix("/a.fits"))
    #expect(NightFacts.Place(path: here.path.text, choice: nil) == here)
    #expect(NightFacts.Place(path: "/x/./y//a.fits", choice: nil).path == "/x/y/a.fits")
    #expect(NightFacts.Place(path: "/x/link/../a.fits", choice: nil).path == "/x/link/../a.fits")
    #expect(NightFacts.Place(path: "./a.fits", choice: nil) == here)
    #expect(NightFacts.Place(path: "a.fits", choice: "1") != here)
    for name in ["\u{301}k", "caf\u{e9}", "cafe\u{301}"] {
      let path = "/x/\(name)/a.fits"
      #expect(NightFacts.Place(path: path, choice: nil).path == ExactText(path))
      #expect(
        NightFacts.Place(path: "/\(name)/.//a.fits", choice: nil).path
          == ExactText("/\(name)/a.fits"))
    }
    #expect(
      NightFacts.Place(path: "/caf\u{e9}", choice: nil)
        != NightFacts.Place(path: "/cafe\u{301}", choice: nil))
  }
}
