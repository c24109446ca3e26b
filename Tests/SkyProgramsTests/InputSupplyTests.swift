import Foundation
import SkyFiles
import SkyNetCore
import SkyTestSupport
import Synchronization
import Testing

@testable import SkyPrograms

@Suite("Inputs as parts of a run")
struct InputSupplyTests {
  /// What a journal was told.
  private final class Records: Sendable {
    let ended = Mutex<[JobPart]>([])
    let dropped = Mutex<[Int]>([])

    func take(_ record: InputSupply.Record) {
      switch record {
      case .part(let part): ended.withLock { $0.append(part) }
      case .dropped(let part): dropped.withLock { $0.append(part.number) }
      }
    }
  }

  private func supply(
    _ texts: [String], in folder: TemporaryFolder? = nil, tellsPlaces: Bool = false,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) -> InputSupply {
    let left = Mutex(texts.enumerated().map { ($0, $1) }[...])
    var settings = ProgramSettings(tellsPlaces ? ["x", "{#}"] : ["x"])
    settings.directory = folder?.path
    return InputSupply(
      settings, count: { texts.count }, tell: tell,
      next: { [settings] in
        left.withLock { $0.popFirst() }.map { place, text in
          InputSupply.Entry(name: text, facts: InputFacts(text, place: place, settings))
        }
      })
  }

  private func parts(_ supply: InputSupply) async throws -> [JobPart] {
    var parts: [JobPart] = []
    while let part = try await supply.nextPart() { parts.append(part) }
    return parts
  }

  @Test("Each input is a part of one sector, numbered as they come")
  func new() async throws {
    let parts = try await parts(supply(["a", "b", "a"]))
    #expect(parts.map(\.number) == [0, 1, 2])
    #expect(parts.map(\.sectors) == [0..<1, 1..<2, 2..<3])
    #expect(parts.map(\.name) == ["a", "b", "a"])
    #expect(InputFacts(parts[2].facts)?.place == 2)
  }

  @Test("A later process finds what earlier ones did, by the text and how often it came before")
  func resumed() async throws {
    let past = try await parts(supply(["a", "b", "a"]))
    let records = Records()
    let later = supply(["a", "c", "a", "b", "a"])
    later.begin(after: past, of: PastInputs(past)) { records.take($0) }
    let now = try await parts(later)
    #expect(now.map(\.number) == [0, 3, 2, 1, 4])
    #expect(now.map(\.sectors.lowerBound) == [0, 3, 2, 1, 4])
    #expect(records.dropped.withLock { $0 } == [])
  }

  @Test("An input that has moved keeps its sector, and its output's file follows its new place")
  func moved() async throws {
    let past = try await parts(supply(["a", "b"]))
    let records = Records()
    let later = supply(["new", "b", "a"])
    later.begin(after: past, of: PastInputs(past)) { records.take($0) }
    let now = try await parts(later)
    #expect(now.map(\.sectors.lowerBound) == [2, 1, 0])
    #expect(now.map { InputFacts($0.facts)?.templateInput.place } == [0, 1, 2])
    #expect(records.ended.withLock { $0.map(\.number) } == [0])
    #expect(records.dropped.withLock { $0 } == [])
  }

  @Test("Where programs are told the places of their inputs, one that has moved is run again")
  func movedWithItsNumber() async throws {
    let past = try await parts(supply(["a", "b"], tellsPlaces: true))
    let records = Records()
    let later = supply(["new", "b", "a"], tellsPlaces: true)
    later.begin(after: past, of: PastInputs(past)) { records.take($0) }
    #expect(try await parts(later).map(\.number) == [2, 1, 3])
    #expect(records.dropped.withLock { $0 } == [0])
  }

  @Test("Inputs of which the bytes differ are two, though Swift takes them for equal texts")
  func composed() async throws {
    let past = try await parts(supply(["\u{E9}"]))
    let later = supply(["e\u{301}", "\u{E9}"])
    later.begin(after: past, of: PastInputs(past)) { _ in }
    #expect(try await parts(later).map(\.number) == [1, 0])
  }

  @Test("An input whose file has changed is done again")
  func changed() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("a", [1])
    let past = try await parts(supply(["a", "b"], in: folder))
    _ = try folder.write("a", [1, 2])
    let records = Records()
    let later = supply(["a", "b"], in: folder)
    later.begin(after: past, of: PastInputs(past)) { records.take($0) }
    #expect(try await parts(later).map(\.number) == [2, 1])
    #expect(records.dropped.withLock { $0 } == [0])
  }

  @Test("What a program makes of its own input, or puts under its name, is no change of the input")
  func ownWork() async throws {
    let folder = try TemporaryFolder()
    for name in ["written", "moved", "kept"] { _ = try folder.write(name, [1]) }
    let records = Records()
    let told = Mutex<[String]>([])
    let first = supply(["written", "moved", "kept", "made"], in: folder) { line in
      told.withLock { $0.append(line) }
    }
    first.begin(after: [], of: PastInputs()) { records.take($0) }
    let begun = try await parts(first)
    _ = try folder.write("written", [1, 2])
    _ = try folder.write("made", [1])
    #expect(unlink(folder.file("moved")) == 0)
    for part in begun { first.ended(part, failure: nil) }
    #expect(
      told.withLock { $0.count } == 1 && told.withLock { $0[0] }.hasPrefix("written was changed"))
    let past = records.ended.withLock { $0 }
    let later = supply(["written", "moved", "kept", "made"], in: folder)
    later.begin(after: past, of: PastInputs(past)) { records.take($0) }
    #expect(try await parts(later).map(\.number) == [0, 1, 2, 3])
    #expect(records.dropped.withLock { $0 } == [])
    // What others change afterwards is one.
    _ = try folder.write("kept", [1, 2, 3])
    _ = try folder.write("written", [1, 2, 3])
    let last = supply(["written", "kept"], in: folder)
    last.begin(after: past, of: PastInputs(past)) { records.take($0) }
    #expect(try await parts(last).map(\.number) == [4, 5])
  }

  @Test("An input that is gone before its program ran says so, also in a later process")
  func goneBeforehand() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("a", [1])
    let past = try await parts(supply(["a"], in: folder))
    #expect(unlink(folder.file("a")) == 0)
    let later = supply(["a"], in: folder)
    later.begin(after: past, of: PastInputs(past)) { _ in }
    let facts = try #require(try await parts(later).first.flatMap { InputFacts($0.facts) })
    #expect(facts.files.map(\.name) == ["a"])
  }

  @Test("The journal is told how each input ended, and told once")
  func outcomes() async throws {
    let records = Records()
    let supply = supply(["a", "b"])
    supply.begin(after: [], of: PastInputs()) { records.take($0) }
    let parts = try await parts(supply)
    supply.ended(parts[0], failure: nil)
    supply.ended(parts[1], failure: "exit status 3")
    let ended = records.ended.withLock { $0 }
    #expect(
      ended.map(\.outcome) == [
        #"{"state":"done"}"#, #"{"reason":"exit status 3","state":"failed"}"#,
      ])
    supply.ended(ended[0], failure: nil)
    #expect(records.ended.withLock { $0.count } == 2)
  }

  @Test("A job of inputs hands each out with its text, and makes a result of its output")
  func job() async throws {
    let supply = supply(["x", "y"])
    var job = InputJob(ProgramExchange(ProgramSettings(["echo", "{}"])), supply)
    let part = try #require(try await job.nextPart())
    guard case .tasks(let tasks) = job.add(part) else {
      Issue.record("no tasks")
      return
    }
    #expect(tasks == [TaskRange(sectors: 0..<1)])
    let task = TaskID(sector: 0)
    let input = try await job.sector(for: task)
    #expect(input.text == "x" && input.number == 0)
    let output = ProgramOutput(output: BulkBytes(Data("x\n".utf8)))
    try job.check(output, for: task)
    #expect(try job.receive(output, for: task).result as? String == "x\n")
    job.ended(part)
    await #expect(throws: RefusedOutput.self) { try await job.sector(for: task) }
    #expect(job.mayRunTwice == false)
  }

  @Test("An input that an earlier process gave up stays failed in the journal")
  func givenUp() async throws {
    let records = Records()
    let first = supply(["a", "b"])
    first.begin(after: [], of: PastInputs()) { records.take($0) }
    var job = InputJob(ProgramExchange(ProgramSettings(["x"])), first)
    while let part = try await job.nextPart() {
      _ = job.add(part)
      job.gaveUp(TaskID(sector: part.sectors.lowerBound), reason: "exit status 3")
      job.ended(part)
    }
    var past = records.ended.withLock { $0 }
    #expect(past.count == 2)
    // The process was killed before it had recorded the second one's end.
    past[1].outcome = nil
    let later = supply(["a", "b"])
    later.begin(after: past, of: PastInputs(past)) { records.take($0) }
    var resumed = InputJob(ProgramExchange(ProgramSettings(["x"])), later)
    while let part = try await resumed.nextPart() {
      _ = resumed.add(part)
      resumed.ended(part)
    }
    let ended = records.ended.withLock { $0 }
    #expect(ended.count == 3)
    #expect(ended.allSatisfy { $0.outcome?.contains("failed") == true })
  }

  @Test("An input whose file is gone fails for good, before it is sent")
  func gone() async throws {
    let run = ProgramExchange(ProgramSettings(["cat", "{}"]))
    await #expect(throws: UnmendableFailure.self) {
      try await run.sector(
        ProgramInput(number: 0, text: "/no/such", files: ["/no/such"]),
        named: TemplateInput("/no/such", place: 0))
    }
  }

  @Test("A facts' text is read back, and another one is none")
  func facts() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("a\tb", [1])
    var settings = ProgramSettings(["x"])
    settings.directory = folder.path
    let facts = InputFacts("a\tb", place: 4, settings)
    #expect(facts.files.map(\.name) == ["a\tb"])
    #expect(InputFacts(facts.json) == facts)
    #expect(facts.templateInput == TemplateInput("a\tb", place: 4))
    let input = facts.input(number: 9)
    #expect(input.templateInput == TemplateInput("a\tb", place: 4) && input.files == ["a\tb"])
    #expect(InputFacts("{}") == nil && InputFacts("") == nil)
  }
}
