import ArgumentParser
import SkyNetCore
import SkyNetJournal
import Testing

@testable import ImagesWorkload
@testable import ProgramsWorkload
@testable import SimulatedWorkload
@testable import SkyNetCLI
@testable import SkyNetCommand

/// A workload as somebody would add it to `skynet`: by one more type in the list of `SkyNet.workloads`.
@Suite("A workload that is added to the list")
struct MadeUpWorkloadTests {
  private struct Proofread: Scan {
    static let kind = ScanKind(name: "proofread", version: 1)

    func run(_ chapter: Int, settings: NoSettings) -> Int { chapter }
  }

  private struct Book: Workload {
    static let name = "book"
    static let choosers = ["--book"]
    static let invitation = "--book FILE"
    static let purpose = "a book"
    static var scans: [any Scan] { [Proofread()] }
    static var words: RunWords { RunWords(part: .init("chapter", "chapters")) }

    @Option var book: String
    @Option var dictionary = "usual"

    func prepare(_ options: RunOptions) throws -> any WorkloadRun {
      throw ValidationError("no book is read here")
    }

    /// What a node takes for books.
    struct Offering: NodeOffering {
      @Option var shelf = "/books"

      var arguments: [String] { ["--shelf", shelf] }

      func offer(withholding files: [String]) -> NodeOffer { NodeOffer(scans: [Proofread()]) }
    }
  }

  private let workloads = Workloads(all: [Book.self] + SkyNet.workloads)

  init() { Program.become(SkyNet.self) }

  private func parsed(
    _ command: any ParsableCommand.Type, _ line: String
  ) throws -> any ParsableCommand {
    try command.parseAsRoot(line.split(separator: " ").map(String.init))
  }

  @Test("engage takes its options beside the general ones, if its option chooses it")
  func engage() throws {
    let line = "--book x.txt --dictionary old --slots 2"
    let command = workloads.engageCommand(
      for: ["engage"] + line.split(separator: " ").map(String.init))
    let engage = try #require(try parsed(command, line) as? Engage<Book>)
    #expect(engage.workload.book == "x.txt" && engage.workload.dictionary == "old")
    #expect(engage.systems.slots == 2)
    #expect("\(workloads.workload(of: ["engage", "--image", "x"]))" == "Images")
    #expect("\(workloads.workload(of: ["engage"]))" == "Simulated")
  }

  @Test("Its options are refused elsewhere, with where they belong")
  func misplaced() {
    let fault = workloads.misplaced(["engage", "--dictionary", "old", "--total", "5"])
    #expect(fault == "--dictionary is for a book: give --book FILE too")
    let other = workloads.misplaced(["engage", "--book", "x", "--seed", "3"])
    #expect(other == "--seed is for simulated scans: leave it or --book out")
  }

  @Test("A node takes its options, offers its scans, and passes the options on to nodes elsewhere")
  func node() throws {
    func offered<Offering>(_ command: NodeCommand<Offering>) throws -> NodeOffer {
      try command.offering.offer(withholding: [])
    }
    func arguments<Offering>(_ command: NodeCommand<Offering>) -> [String] {
      command.offering.arguments
    }
    let command = try parsed(workloads.nodeCommand, "--shelf /mine --speed 2")
    let node = try #require(
      command
        as? NodeCommand<
          Both<Both<Both<Book.Offering, ProgramsOffering>, ImagesOffering>, SimulatedOffering>
        >)
    #expect(try offered(node).scans.contains { $0 is Proofread })
    #expect(arguments(node) == ["--shelf", "/mine", "--speed", "2.0"])
  }

  @Test("What is recorded of its runs is told in its words")
  func words() {
    let setup = RunSetup(
      name: "x.txt", passes: [], kind: Proofread.kind, settings: "", workload: .init(name: "book"))
    #expect(workloads.words(of: setup).part.many == "chapters")
  }
}
