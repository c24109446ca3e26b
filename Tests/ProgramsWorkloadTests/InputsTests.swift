import ArgumentParser
import Foundation
import SkyNetCore
import SkyPrograms
import SkyTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ProgramsWorkload

@Suite("Where inputs come from")
struct InputsTests {
  private func texts(_ feed: InputFeed) async throws -> [String] {
    var texts: [String] = []
    while let entry = try await feed.next() { texts.append(entry.facts.text) }
    return texts
  }

  private func feed(
    _ pieces: [InputPiece], _ names: OutputNames? = nil, _ reader: InputReader? = nil
  ) -> InputFeed {
    var reader = reader ?? InputReader(OutputClaims(ProgramSettings(["x"])))
    reader.names = names ?? reader.names
    return InputFeed(pieces, reader)
  }

  private func pieces(_ words: [String]) throws -> [InputPiece] {
    try ProgramInputs.parse(words).pieces()
  }

  @Test("Words stand for themselves, and a pattern for the files that it names, in order")
  func patterns() throws {
    let folder = try TemporaryFolder()
    let files = try ["a.fits", "b.fits"].map { try folder.write($0, []) }
    let given = try pieces(["--inputs", "x", folder.file("*.fits"), "-", "y"])
    #expect(
      given == [
        .words(["x"]), .matches(files, of: folder.file("*.fits")), .list(InputList(path: nil)),
        .words(["y"]),
      ])
    #expect(throws: InputFault.noMatch(folder.file("*.txt"))) {
      try pieces(["--inputs", folder.file("*.txt")])
    }
    #expect(throws: InputFault.self) { try pieces(["--inputs-from", folder.file("none")]) }
  }

  @Test("A file's name that is also a pattern of others is refused, unless a shell has named these")
  func ambiguousNames() throws {
    let folder = try TemporaryFolder()
    let files = try ["*.fits", "[k].fits", "a.fits"].map { try folder.write($0, []) }
    #expect(throws: InputFault.ambiguous(files[0], other: files[1])) {
      try pieces(["--inputs", files[0]])
    }
    #expect(try pieces(["--inputs"] + files) == [.words(files)])
    #expect(try pieces(["--inputs", files[1]]) == [.words([files[1]])])
    let other = try folder.write("k.fits", [])
    #expect(throws: InputFault.ambiguous(files[1], other: other)) {
      try pieces(["--inputs", files[1]])
    }
  }

  @Test("The lines of a list follow the words, also empty ones and a last one without an end")
  func list() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", Array("b c\n\n-n\nlast".utf8))
    let feed = feed([.words(["a"]), .list(InputList(path: list))])
    #expect(feed.count == nil)
    #expect(try await texts(feed) == ["a", "b c", "", "-n", "last"])
    #expect(feed.count == 5)
    #expect(self.feed([.words(["a", "b"])]).count == 2)
  }

  @Test("Lines come as they are written, however many a write has")
  func lines() throws {
    let (reading, writing) = try makePipe()
    defer { try? reading.close() }
    var lines = InputLines(reading: reading.fileDescriptor, name: "a pipe")
    func write(_ text: String) throws { try writing.write(contentsOf: Data(text.utf8)) }
    func next() throws -> String? { try lines.next()?.text.get() }
    // It waits for the end of a line, and for nothing more.
    try write("one\ntw")
    #expect(try next() == "one")
    try write("o\nthree\n\nlast")
    #expect(try next() == "two")
    #expect(try next() == "three")
    #expect(try next() == "")
    try writing.close()
    #expect(try next() == "last")
    #expect(try next() == nil)
    #expect(try next() == nil)
  }

  @Test("A line that is too long is no input, and those behind it are")
  func longLine() throws {
    let folder = try TemporaryFolder()
    let long = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
    let list = try folder.write("list", Array("a\n".utf8) + long + Array("\nb\n".utf8) + long)
    var lines = try InputLines(InputList(path: list))
    let beginning = InputLines.Line.tooLong(Array(long.prefix(1024)))
    #expect(try lines.next() == .line(Array("a".utf8)))
    #expect(try lines.next() == beginning)
    #expect(try lines.next() == .line(Array("b".utf8)))
    #expect(try lines.next() == beginning)
    #expect(try lines.next() == nil)
  }

  @Test("Lists that an editor of Windows has written are read as others")
  func windows() throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", Array("\u{FEFF}a\r\nb c\r\n\r\n\u{FEFF}d\re\r".utf8))
    var lines = try InputLines(InputList(path: list))
    for expected in ["a", "b c", "", "\u{FEFF}d\re"] {
      #expect(try lines.next() == .line(Array(expected.utf8)))
    }
    #expect(try lines.next() == nil)
    var exact = try InputLines(
      InputList(path: try folder.write("exact", Array("\u{FEFF}a\r\0".utf8)), end: 0))
    #expect(try exact.next() == .line(Array("\u{FEFF}a\r".utf8)))
  }

  @Test("An input that ends in a NUL character is one column, whatever it has in it")
  func wholeInputs() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", Array("a\tb\0".utf8))
    let entry = try await feed([.list(InputList(path: list, end: 0))]).next()
    let facts = try #require(entry).facts
    let inputs = [facts.templateInput, facts.input(number: 0).templateInput]
    for input in inputs {
      #expect(try ProgramTemplate(["x", "{1}"]).words(for: input) == ["x", "a\tb"])
      #expect(throws: UnmendableFailure.self) {
        try ProgramTemplate(["x", "{2}"]).words(for: input)
      }
    }
    let back = try #require(InputFacts(facts.json))
    #expect(back == facts && back != InputFacts("a\tb", place: 0))
    #expect(InputFacts("a\tb", place: 0).continuing(facts, isDone: true) == nil)
    // Without a tab, the columns are the same.
    #expect(InputFacts("a", place: 0, isWhole: true) == InputFacts("a", place: 0))
  }

  @Test("Inputs may end in NUL characters, so that they hold line ends")
  func nulls() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", Array("a\nb\0c\0".utf8))
    let given = try ProgramInputs.parse(["--inputs-from", list]).pieces(null: true)
    #expect(try await texts(feed(given)) == ["a\nb", "c"])
  }

  @Test("A pipe that others have made not to wait is waited for")
  func nonblocking() async throws {
    let (reading, writing) = try makePipe()
    let descriptor = reading.fileDescriptor
    defer { try? reading.close() }
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let feed = feed([.list(InputList(path: "/dev/fd/\(descriptor)"))])
    async let first = feed.next()?.facts.text
    try writing.write(contentsOf: Data("a\n".utf8))
    #expect(try await first == "a")
    try writing.close()
    #expect(try await feed.next() == nil)
  }

  @Test("What is no text, and an output that another input has, fail their inputs alone")
  func refusals() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", [0xFF, 0x0A] + Array("x/a\ny/a\na\0b\n".utf8))
    let names = try OutputNames(folder.path + "/{name}.txt")
    let feed = feed([.list(InputList(path: list))], names)
    var refusals: [String?] = []
    while let entry = try await feed.next() { refusals.append(entry.refusal) }
    #expect(refusals.map { $0 == nil } == [false, true, false, false])
    #expect(refusals[2]?.contains("would both write") == true)
    #expect(refusals[3]?.contains("--null") == true)
  }

  @Test("No output replaces an input, also one that comes later in a list")
  func laterInputs() async throws {
    let folder = try TemporaryFolder()
    let files = try ["a", "a.txt"].map { try folder.write($0, [1]) }
    let list = try folder.write("list", Array(files.joined(separator: "\n").utf8))
    let names = try OutputNames("{}.txt")
    let pieces = [InputPiece.list(InputList(path: list))]
    let feed = feed(pieces, names)
    #expect(try await feed.next()?.refusal?.contains("which is an input") == true)
    #expect(try await feed.next()?.refusal == nil)
    // Standard input cannot be read twice. There the later one is told.
    let (reading, writing) = try makePipe()
    defer { try? reading.close() }
    try writing.write(contentsOf: Data(files.joined(separator: "\n").utf8))
    try writing.close()
    let late = self.feed(
      [.list(InputList(path: "/dev/fd/\(reading.fileDescriptor)"))], names)
    #expect(try await late.next()?.refusal == nil)
    #expect(try await late.next()?.refusal?.contains("becomes the output of") == true)
    var reader = InputReader(OutputClaims(ProgramSettings(["x"])))
    reader.names = names
    #expect(throws: ValidationError.self) {
      try reader.prepare([.words(files)])
      _ = try reader.check([.words(files)])
    }
  }

  @Test("An input is as it was given, and a file if it names a regular one for the program")
  func files() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.fits", [])
    for name in ["17", "-x", "a b", "a\tb", "a\nb"] { _ = try folder.write(name, []) }
    #expect(mkdir(folder.file("folder"), 0o755) == 0 && mkfifo(folder.file("pipe"), 0o600) == 0)
    var settings = ProgramSettings(["x"])
    settings.directory = folder.path
    func files(_ text: String) -> [String] {
      let facts = InputFacts(text, place: 0, settings)
      #expect(facts.text == text)
      return facts.files.map(\.name)
    }
    for name in ["a.fits", "./a.fits", "17", "-x", "a b", "a\tb", "a\nb", file] {
      #expect(files(name) == [name])
    }
    for name in ["", ".", "..", "folder", "folder/", "pipe", "none", "a.fits\t2", "*.fits"] {
      #expect(files(name) == [])
    }
    settings.directory = nil
    #expect(files("a.fits") == [] && files(file) == [file])
    let here = FileManager.default.currentDirectoryPath
    #expect(AbsolutePath.of("./x/../y") == here + "/x/../y")
    #expect(AbsolutePath.of("/x") == "/x")
  }

  @Test(
    "A run that goes on has no output of its own for an input, and keeps what its programs moved")
  func goesOn() async throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { _ = try folder.write(name, [1]) }
    let pattern = folder.file("*")
    let names = try OutputNames("{}.out")
    let first = try ProgramInputs.parse(["--inputs", pattern]).pieces()
    var past: [JobPart] = []
    let begun = feed(first, names)
    while let entry = try await begun.next() {
      #expect(entry.refusal == nil)
      var part = JobPart(
        number: past.count, sectors: past.count..<past.count + 1, name: entry.name,
        facts: entry.facts.json)
      part.outcome = #"{"state":"done"}"#
      past.append(part)
    }
    _ = try folder.write("a.out", [1])
    _ = try folder.write("b.out.0123ABCD.partial", [1])
    _ = try folder.write("run.sqlite", [1])
    _ = try folder.write("new", [1])
    #expect(unlink(folder.file("c")) == 0)
    let told = Mutex<[String]>([])
    var reader = InputReader(OutputClaims(ProgramSettings(["x"])))
    reader.written = [("journal", folder.file("run.sqlite"))]
    reader.tell = { line in told.withLock { $0.append(line) } }
    let pieces = try ProgramInputs.parse(["--inputs", pattern]).pieces(goesOn: true)
    let later = feed(pieces, names, reader)
    later.goOn(after: PastInputs(past))
    #expect(try await texts(later) == ["a", "b", "new", "c"].map(folder.file))
    #expect(told.withLock { $0.first?.hasPrefix("3 files") } == true)
    #expect(
      try ProgramInputs.parse(["--inputs", folder.file("*.none")]).pieces(goesOn: true).count == 1)
  }

  @Test("A file that is here and not in the program's folder is told, once")
  func elsewhere() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", Array("Package.swift\nnone\nREADME.md\n".utf8))
    var settings = ProgramSettings(["x"])
    settings.directory = folder.path
    let warned = Mutex<[String]>([])
    var reader = InputReader(OutputClaims(settings))
    reader.warn = { line in warned.withLock { $0.append(line) } }
    let here = FileManager.default.fileExists(atPath: "Package.swift")
    _ = try await texts(feed([.list(InputList(path: list))], nil, reader))
    #expect(warned.withLock { $0.count } == (here ? 1 : 0))
  }

  @Test("A run may end before its inputs are read")
  func leftUnread() async throws {
    // The process would end where the feed does.
    for _ in 0..<20 {
      let feed = feed([.words((0..<40).map(String.init))])
      #expect(try await feed.next()?.name == "0")
    }
  }

  @Test("A reader of inputs that is cancelled stops, though none come")
  func cancelled() async throws {
    let pipe = try makePipe()
    defer { for end in [pipe.reading, pipe.writing] { try? end.close() } }
    let path = "/dev/fd/\(pipe.reading.fileDescriptor)"
    let feed = feed([.list(InputList(path: path))])
    let reading = Task { try await feed.next() }
    reading.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reading.value }
  }
}
