import Foundation
import SkyFiles
import SkyNetCore
import SkyProcess
import SkyTestSupport
import Synchronization
import Testing

@testable import SkyPrograms

@Suite("What becomes of a program's output")
struct OutputTests {
  private func ending(
    _ status: ProgramEnding.Status, _ output: String = "", errors: String = "",
    tooLong: Bool = false
  ) -> ProgramEnding {
    ProgramEnding(
      status: status, output: Data(output.utf8), errors: Data(errors.utf8), isTooLong: tooLong)
  }

  private let settings = ProgramSettings(["x"])

  @Test("A program that ends with 0 has its standard output as it came")
  func success() throws {
    let output = try settings.output(of: ending(.exited(0), "a\nb\n", errors: "note"))
    #expect(output == ProgramOutput(output: BulkBytes(Data("a\nb\n".utf8))))
    var verbose = settings
    verbose.sendsErrors = true
    #expect(try verbose.output(of: ending(.exited(0), errors: "note")).errors == "note")
  }

  @Test("Another status and a signal fail the attempt, with the end of standard error")
  func failure() throws {
    let failed = #expect(throws: ProgramFailure.self) {
      try settings.output(of: ending(.exited(3), errors: "no such star\n"))
    }
    #expect(failed?.description == "exit status 3: no such star")
    let killed = #expect(throws: ProgramFailure.self) {
      try settings.output(of: ending(.signaled(9)))
    }
    #expect(killed?.description == "signal 9 (Killed)")
    #expect(ProgramEnding.Status(reason: "exit status 3: no such star") == .exited(3))
    #expect(ProgramEnding.Status(reason: "signal 9 (Killed)") == .signaled(9))
    #expect(ProgramEnding.Status(reason: "the system was lost") == nil)
  }

  @Test("A status that no retry mends, and too long an output, give the sector up")
  func unmendable() throws {
    var settings = settings
    settings.failFast = [64, 65]
    #expect(throws: UnmendableFailure.self) { try settings.output(of: ending(.exited(65))) }
    #expect(throws: ProgramFailure.self) { try settings.output(of: ending(.exited(66))) }
    let long = #expect(throws: UnmendableFailure.self) {
      try settings.output(of: ending(.signaled(15), tooLong: true))
    }
    #expect(long?.reason.contains("--output") == true)
    settings.outputLimit = ProgramSettings.outputLimit
    let longest = #expect(throws: UnmendableFailure.self) {
      try settings.output(of: ending(.signaled(15), tooLong: true))
    }
    #expect(longest?.reason.contains("256 MiB: have the program write the file itself") == true)
  }

  @Test("A text has to be UTF-8, and JSON one value; the remedy is named")
  func forms() throws {
    let bytes = Data([0xFF, 0x0A])
    let text = #expect(throws: UnmendableFailure.self) {
      try ProgramSettings.Form.text.check(bytes)
    }
    #expect(text?.reason.contains("--output") == true)
    let late = #expect(throws: UnmendableFailure.self) {
      try ProgramSettings.Form.text.check(Data("ab\0é".utf8) + bytes)
    }
    #expect(late?.reason.contains("byte 6 is not UTF-8") == true, "\(late as Any)")
    try ProgramSettings.Form.text.check(Data("a\0b".utf8))
    try ProgramSettings.Form.bytes.check(bytes)
  }

  @Test(
    "JSON is one value, and stays as it was written but for white space",
    arguments: [
      ("1", "1"),
      (" {\"b\": [1, null, -0, 2.50E+3], \"a\" :{ }}\n", "{\"b\":[1,null,-0,2.50E+3],\"a\":{}}"),
      ("\"x y\\u00e9\\\"\"", "\"x y\\u00e9\\\"\""), ("null", "null"), ("[ ]", "[]"),
      ("123456789012345678901234567890.10", "123456789012345678901234567890.10"),
      ("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}"), ("[[true],[false,[]]]", "[[true],[false,[]]]"),
      (
        String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
        String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
      ),
    ])
  func json(written: String, line: String) throws {
    let bytes = Data(written.utf8)
    try ProgramSettings.Form.json.check(bytes)
    let result = ProgramSettings.Form.json.result(bytes)
    #expect((result as? any WrittenJSON)?.json == line)
    #expect((result as? any SizedResult)?.outputBytes == bytes.count)
  }

  @Test(
    "What is not one JSON value is refused",
    arguments: [
      "", " ", "{", "1 2", "{\"a\":1}\n{\"a\":2}", "nan", "[1,]", "[,1]", "{,}", "{\"a\"}",
      "{\"a\":}", "{\"a\":1,}", "{1:2}", "[1}", "]", "01", "1.", "-", "+1", ".5", "1e", "\"a",
      "\"\\x\"", "\"\\u12\"", "\"a\nb\"", "\u{FEFF}1", "tru", "truefalse", "'a'", "[1 2]",
    ])
  func noJSON(written: String) {
    #expect(throws: UnmendableFailure.self) {
      try ProgramSettings.Form.json.check(Data(written.utf8))
    }
  }

  @Test("Each output becomes a file with its folder, and a journal keeps its size and digest alone")
  func files() async throws {
    let folder = try TemporaryFolder()
    let files = ProgramFiles { "\(folder.path)/out/\($0.text).txt" }
    let output = ProgramOutput(output: BulkBytes(Data([0xFF, 1, 2])))
    let (path, input) = (folder.file("out/7.txt"), TemplateInput("7", place: 7))
    let run = ProgramExchange(settings, files: files)
    _ = try await run.sector(ProgramInput(number: 7), named: input)
    let received = try run.receive(output, of: input, sector: 7)
    #expect(received.result as? ProgramFiles.Written == .init(file: path, bytes: 3))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0xFF, 1, 2]))
    let recorded = try #require(received.recorded as? ProgramOutput)
    #expect(recorded.output.bytes.isEmpty && recorded.fingerprint == output.fingerprint)

    // As a later process that has the output from the journal.
    let state = FileState(path: path)
    let told = Mutex<[String]>([])
    let later = ProgramExchange(
      settings, files: files, warn: { text in told.withLock { $0.append(text) } })
    try later.check(recorded, sector: 7)
    let restored = try later.receive(recorded, of: input, sector: 7)
    #expect(restored.result as? ProgramFiles.Written == .init(file: path, bytes: 3))
    #expect(FileState(path: path) == state && told.withLock(\.self).isEmpty)
    // Of the same size, and gone: these are one line.
    try Data([9, 9, 9]).write(to: URL(fileURLWithPath: path))
    #expect(throws: StaleOutput.self) { try later.receive(recorded, of: input, sector: 7) }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: StaleOutput.self) { try later.receive(recorded, of: input, sector: 7) }
    #expect(told.withLock { $0.count == 1 && $0[0].hasPrefix(path) })
    #expect(files.written == 2)
  }

  @Test("What says that a file has its bytes is refused, unless it comes from the journal")
  func keptElsewhere() async throws {
    let folder = try TemporaryFolder()
    let kept = ProgramOutput(output: BulkBytes(Data([1]))).withoutBytes
    #expect(throws: RefusedOutput.self) {
      try ProgramExchange(settings).check(kept, sector: 7)
    }
    let run = ProgramExchange(settings, files: ProgramFiles { "\(folder.path)/\($0.text)" })
    _ = try await run.sector(ProgramInput(number: 7), named: TemplateInput("7", place: 7))
    #expect(throws: RefusedOutput.self) { try run.check(kept, sector: 7) }
  }

  @Test("What killed processes left of outputs is removed, and a folder is listed once")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    let files = ProgramFiles { "\(folder.path)/\($0.text)" }
    for name in ["7", "8"] { _ = try folder.write("\(name).01234567.partial", [1]) }
    try files.check(TemplateInput("7", place: 7))
    _ = try folder.write("9.01234567.partial", [1])
    for name in ["8", "9"] { try files.check(TemplateInput(name, place: 0)) }
    #expect(try folder.contents() == ["9.01234567.partial"])
  }

  @Test("An output that no program can have brought is refused")
  func impossible() {
    var settings = settings
    settings.outputLimit = 2
    let run = ProgramExchange(settings)
    for bytes in [Data("abc".utf8), Data([0xFF])] {
      #expect(throws: RefusedOutput.self) {
        try run.check(ProgramOutput(output: BulkBytes(bytes)), sector: 0)
      }
    }
    #expect(run.outputLimit.bulk == 2)
  }

  @Test("The input of a number is that number")
  func number() async throws {
    let job = ProgramJob(ProgramExchange(settings), count: 5)
    let input = try await job.sector(for: TaskID(sector: 3)).templateInput
    #expect(input == TemplateInput("3", place: 3))
  }

  @Test("Numbers are a job of so many sectors, which only what its program depends on tells apart")
  func numbers() {
    let job = ProgramJob(ProgramExchange(settings), count: 5)
    #expect(job.sectorCount == 5)
    var same = settings
    (same.failFast, same.sendsErrors) = ([1], true)
    #expect(job.identity() == ProgramJob(ProgramExchange(same), count: 5).identity())
    // More numbers are a longer run, which goes on.
    #expect(job.identity() == ProgramJob(ProgramExchange(same), count: 6).identity())
    var other = settings
    other.directory = "/x"
    #expect(job.identity() != ProgramJob(ProgramExchange(other), count: 5).identity())
  }
}
