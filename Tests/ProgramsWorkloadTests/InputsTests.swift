import ArgumentParser
import Foundation
import SkyPrograms
import SkyTestSupport
import TestSupport
import Testing

@testable import ProgramsWorkload

@Suite("Where inputs come from")
struct InputsTests {
  private func texts(_ feed: InputFeed) async throws -> [String] {
    var texts: [String] = []
    while let entry = try await feed.next() { texts.append(entry.facts.givenInput.text) }
    return texts
  }

  private func pieces(_ words: [String]) throws -> [InputPiece] {
    try ProgramInputs.parse(words).pieces()
  }

  @Test("Words stand for themselves, and a pattern for the files that it names, in order")
  func patterns() throws {
    let folder = try TemporaryFolder()
    let files = try ["a.fits", "b.fits"].map { try folder.write($0, []) }
    let given = try pieces(["--inputs", "x", folder.file("*.fits"), "-", "y"])
    #expect(given == [.words(["x"]), .files(files), .list(InputList(path: nil)), .words(["y"])])
    #expect(throws: InputFault.noMatch(folder.file("*.txt"))) {
      try pieces(["--inputs", folder.file("*.txt")])
    }
    #expect(throws: InputFault.self) { try pieces(["--inputs-from", folder.file("none")]) }
  }

  @Test("The lines of a list follow the words, also empty ones and a last one without an end")
  func list() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", Array("b c\n\n-n\nlast".utf8))
    let feed = InputFeed([.words(["a"]), .list(InputList(path: list))], nil, OutputClaims())
    #expect(feed.count == nil)
    #expect(try await texts(feed) == ["a", "b c", "", "-n", "last"])
    #expect(feed.count == 5)
    #expect(InputFeed([.words(["a", "b"])], nil, OutputClaims()).count == 2)
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

  @Test("Inputs may end in NUL characters, so that they hold line ends")
  func nulls() async throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list", Array("a\nb\0c\0".utf8))
    let given = try ProgramInputs.parse(["--inputs-from", list]).pieces(null: true)
    #expect(try await texts(InputFeed(given, nil, OutputClaims())) == ["a\nb", "c"])
  }

  @Test("A pipe that others have made not to wait is waited for")
  func nonblocking() async throws {
    let (reading, writing) = try makePipe()
    let descriptor = reading.fileDescriptor
    defer { try? reading.close() }
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let feed = InputFeed([.list(InputList(path: "/dev/fd/\(descriptor)"))], nil, OutputClaims())
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
    let feed = InputFeed([.list(InputList(path: list))], names, OutputClaims())
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
    var claims = OutputClaims()
    #expect(try claims.read(pieces) == [])
    let feed = InputFeed(pieces, names, claims)
    #expect(try await feed.next()?.refusal?.contains("which is an input") == true)
    #expect(try await feed.next()?.refusal == nil)
    // Standard input cannot be read twice. There the later one is told.
    let late = InputFeed(pieces, names, OutputClaims())
    #expect(try await late.next()?.refusal == nil)
    #expect(try await late.next()?.refusal?.contains("becomes the output of") == true)
    #expect(throws: ValidationError.self) {
      try claims.check(try claims.read([.files(files)]), names)
    }
  }

  @Test("Inputs that are files get absolute paths, each column by itself, and numbers are none")
  func files() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.fits", [])
    _ = try folder.write("17", [])
    let facts = InputFacts(given: "\(file)\tnone\t17", place: 3)
    #expect(facts.files.map(\.path) == [file] && facts.text == "\(file)\tnone\t17")
    #expect(InputFacts(given: "17", place: 0).files.isEmpty)
    #expect(InputFacts(file: folder.file("17"), place: 0).files.map(\.path) == [folder.file("17")])
    #expect(InputFacts(given: "", place: 0).files.isEmpty)
    let here = FileManager.default.currentDirectoryPath
    #expect(InputFacts(given: ".", place: 0).text == here)
    #expect(AbsolutePath.of("./x/../y") == here + "/x/../y")
    #expect(AbsolutePath.of("/x") == "/x")
  }

  @Test("A run may end before its inputs are read")
  func leftUnread() async throws {
    // The process would end where the feed does.
    for _ in 0..<20 {
      let feed = InputFeed([.words((0..<40).map(String.init))], nil, OutputClaims())
      #expect(try await feed.next()?.name == "0")
    }
  }

  @Test("A reader of inputs that is cancelled stops, though none come")
  func cancelled() async throws {
    let pipe = try makePipe()
    defer { for end in [pipe.reading, pipe.writing] { try? end.close() } }
    let path = "/dev/fd/\(pipe.reading.fileDescriptor)"
    let feed = InputFeed([.list(InputList(path: path))], nil, OutputClaims())
    let reading = Task { try await feed.next() }
    reading.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reading.value }
  }
}
