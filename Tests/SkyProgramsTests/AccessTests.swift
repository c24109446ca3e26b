import Foundation
import SkyFiles
import SkyNetCore
import SkyTestSupport
import TestSupport
import Testing

@testable import SkyPrograms

@Suite("Which programs a node runs, and for whom", .inTurn)
struct AccessTests {
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try Self.write("scan.sh", in: folder)
  }

  private static func write(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = try folder.write(name, Array("#!/bin/sh\necho hello\n".utf8))
    #expect(chmod(path, 0o755) == 0)
    return path
  }

  private func found(_ name: String, _ access: ProgramAccess) throws -> RunnableProgram {
    try access.leave(to: ProgramInput(number: 0), ProgramSettings([name])).program(
      name, isFixed: true)
  }

  private func allowed() throws -> ProgramAccess { .files([try #require(AllowedProgram(program))]) }

  @Test("A program that was made for words of which there is no program says so")
  func typo() async {
    let scan = Program(["no-such-program-here"])
    let error = await #expect(throws: SystemUnsuited.self) {
      try await scan.run(ProgramInput(number: 0), settings: scan.settings)
    }
    #expect(error?.reason.contains("there is no program no-such-program-here") == true)
  }

  @Test("A file that is missing in a folder that is there fails the attempt, a folder the system")
  func missingInputs() async {
    let scan = Program(["true"])
    func run(_ file: String) async throws {
      let input = ProgramInput(number: 0, text: file, files: [file])
      _ = try await scan.run(input, settings: scan.settings)
    }
    await #expect(throws: ProgramFailure.self) { try await run(folder.file("none")) }
    await #expect(throws: SystemUnsuited.self) { try await run(folder.file("none/none")) }
  }

  @Test("By default a stranger's programs are refused, with the flag that allows them")
  func stranger() {
    let error = #expect(throws: SystemUnsuited.self) { try found(program, .ownAccount) }
    #expect(error?.reason.contains("--programs") == true)
  }

  @Test(
    "The proof of this machine and account is for one run of one program, and another account's is none"
  )
  func ownAccount() throws {
    let file = try #require(AccountTokenFile.make(environment: ["XDG_RUNTIME_DIR": folder.path]))
    func mayRun(_ input: ProgramInput, _ settings: ProgramSettings) -> Bool {
      (try? ProgramAccess.ownAccount.leave(to: input, settings)) != nil
    }
    let settings = ProgramSettings([program, "{}"])
    var input = ProgramInput(number: 1, text: "a")
    #expect(!mayRun(input, settings))
    input.proof = file.token(for: input.proofBytes(settings))
    #expect(mayRun(input, settings))
    #expect(!mayRun(input, ProgramSettings(["/bin/sh", "{}"])))
    var other = input
    other.text = "b"
    #expect(!mayRun(other, settings))
    var forged = input
    forged.proof?.proof &+= 1
    #expect(!mayRun(forged, settings))
    // A file that others may read proves nothing.
    #expect(chmod(file.path, 0o644) == 0)
    #expect(!mayRun(input, settings))
    withExtendedLifetime(file) {}
  }

  @Test("A program that was allowed runs for a stranger, and no other one does")
  func allowedPrograms() throws {
    #expect(try found(program, try allowed()).path == program)
    let other = try Self.write("other.sh", in: folder)
    for name in [other, "/bin/sh", "sh", folder.path + "/missing", folder.path, ""] {
      #expect(throws: SystemUnsuited.self) { try found(name, try allowed()) }
    }
  }

  @Test("What a stranger is told does not depend on whether a file is there")
  func nothingIsTold() throws {
    let access = try allowed()
    let other = try Self.write("other.sh", in: folder)
    let there = #expect(throws: SystemUnsuited.self) { try found(other, access) }
    let missing = #expect(throws: SystemUnsuited.self) { try found(folder.file("none"), access) }
    #expect(there == missing)
  }

  @Test(
    "A path with .. and a link lead to the program that was allowed, under the name that was allowed, or nowhere"
  )
  func otherPaths() throws {
    let name = URL(fileURLWithPath: folder.path).lastPathComponent
    let roundabout = "\(folder.path)/../\(name)/scan.sh"
    let link = folder.file("link")
    #expect(symlink(program, link) == 0)
    for path in [roundabout, link, "\(folder.path)//./scan.sh"] {
      let found = try found(path, try allowed())
      #expect(found.path == program && found.name == program)
    }
    let other = try Self.write("other.sh", in: folder)
    #expect(throws: SystemUnsuited.self) {
      try found("\(folder.path)/scan.sh/../other.sh", try allowed())
    }
    #expect(throws: SystemUnsuited.self) {
      try found("\(folder.path)/../\(name)/other.sh", try allowed())
    }
    #expect(throws: SystemUnsuited.self) { try found("scan.sh/../../x", try allowed()) }
    #expect(unlink(link) == 0 && symlink(other, link) == 0)
    #expect(throws: SystemUnsuited.self) { try found(link, try allowed()) }
  }

  @Test("A program that was replaced or changed since it was allowed is refused")
  func replaced() throws {
    let access = try allowed()
    _ = try found(program, access)
    let other = try Self.write("other.sh", in: folder)
    #expect(rename(other, program) == 0)
    let error = #expect(throws: SystemUnsuited.self) { try found(program, access) }
    #expect(error?.reason.contains("restart the node") == true)
    let again = try allowed()
    _ = try found(program, again)
    try Data("#!/bin/sh\nrm x\n".utf8).write(to: URL(fileURLWithPath: program))
    #expect(throws: SystemUnsuited.self) { try found(program, again) }
  }

  @Test("A link that was allowed is refused once it leads elsewhere")
  func replacedLink() throws {
    let link = folder.file("link")
    #expect(symlink(program, link) == 0)
    let access = ProgramAccess.files([try #require(AllowedProgram(link))])
    #expect(try found(link, access).name == link)
    let other = try Self.write("other.sh", in: folder)
    #expect(unlink(link) == 0 && symlink(other, link) == 0)
    #expect(throws: SystemUnsuited.self) { try found(link, access) }
    #expect(throws: SystemUnsuited.self) { try found(other, access) }
  }

  @Test(
    "With any, programs are found by their path or by the node's own PATH, and never relative to its folder"
  )
  func any() throws {
    #expect(try found("sh", .any).path.hasSuffix("/sh"))
    #expect(try found("sh", .any).name == "sh")
    #expect(try found(program, .any).path == program)
    for name in ["no-such-program", "./scan.sh", "x/scan.sh", folder.path] {
      #expect(throws: SystemUnsuited.self) { try found(name, .any) }
    }
    #expect(chmod(program, 0o644) == 0)
    #expect(throws: SystemUnsuited.self) { try found(program, .any) }
  }

  @Test("Where the program differs from input to input, a missing one fails its sector alone")
  func programOfAnInput() {
    let leave = ProgramLeave.any
    #expect(throws: ProgramFailure.self) {
      try leave.program("/no/such/program", isFixed: false)
    }
  }

  @Test("A scan in Swift allows its own program alone")
  func ownScan() async throws {
    let other = try Self.write("other.sh", in: folder)
    let scan = Program([program, "{}"])
    #expect(scan.settings.words == [program, "{}"])
    await #expect(throws: SystemUnsuited.self) {
      _ = try await scan.run(ProgramInput(number: 0), settings: ProgramSettings([other]))
    }
  }

  @Test("Nothing of the engaging process's environment travels")
  func environment() throws {
    setenv("LD_PRELOAD_OF_THIS_TEST", "/evil.so", 1)
    defer { unsetenv("LD_PRELOAD_OF_THIS_TEST") }
    let input = ProgramInput(number: 3, text: "LD_PRELOAD=/evil.so")
    let origin = ScanAttempt.Origin(run: RunID(), task: TaskID(sector: 3), system: "ada")
    let variables = Program.variables(of: input, ScanAttempt(number: 2, origin: origin))
    #expect(
      variables == [
        "SKYNET_SECTOR": "3", "SKYNET_ATTEMPT": "2", "SKYNET_SYSTEM": "ada",
        "SKYNET_RUN": "\(origin.run)",
      ])
    let settings = String(decoding: try JSONEncoder().encode(ProgramSettings(["x"])), as: UTF8.self)
    #expect(!settings.contains("evil"))
  }

  @Test("Settings that a stranger makes up are refused before anything is looked up")
  func madeUpSettings() {
    var faults = [ProgramSettings([]), ProgramSettings([""]), ProgramSettings(["a\0b"])]
    for change in [{ $0.directory = "here" }, { $0.outputLimit = .max }, { $0.outputLimit = -1 }]
      as [(inout ProgramSettings) -> Void]
    {
      var settings = ProgramSettings(["sh"])
      change(&settings)
      faults.append(settings)
    }
    for settings in faults {
      #expect(throws: UnmendableFailure.self) { try settings.check() }
    }
  }

  @Test("No two different runs ask for the same proof")
  func proofs() {
    func bytes(
      _ words: [String], _ text: String?, _ change: (inout ProgramSettings) -> Void = { _ in }
    )
      -> [UInt8]
    {
      var settings = ProgramSettings(words)
      change(&settings)
      return ProgramInput(number: 1, text: text).proofBytes(settings)
    }
    let all = [
      bytes(["a"], nil), bytes(["a"], ""), bytes(["a"], "1"), bytes(["a", ""], nil),
      bytes(["a", "1"], nil),
      bytes(["a1"], nil), bytes(["a"], nil) { $0.directory = "/x" },
      bytes(["a"], nil) { $0.givesInput = true },
    ]
    #expect(Set(all).count == all.count)
  }
}
