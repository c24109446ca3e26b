import Foundation
import SkyFiles
import SkyNetCore
import SkyProcess
import SkyTestSupport
import Testing

@testable import SkyPrograms

@Suite("Which programs a node runs, and for whom")
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
    let settings = ProgramSettings([name])
    let leave = try access.leave(to: ProgramInput(number: 0), settings, by: AccountDoor())
    return try leave.allowed(name, in: settings.directory)
      ?? RunnableProgram(
        name, in: try RunPlace(for: ProgramInput(number: 0), settings, by: leave, in: .none))
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
  func ownAccount() async throws {
    let (door, id) = (AccountDoor(), UUID())
    let environment = ["XDG_RUNTIME_DIR": folder.path]
    door.open(as: id, environment: environment)
    func mayRun(
      _ input: ProgramInput, _ settings: ProgramSettings, at door: AccountDoor
    ) -> Bool {
      (try? ProgramAccess.ownAccount.leave(to: input, settings, by: door)) != nil
    }
    let settings = ProgramSettings([program, "{}"])
    var input = ProgramInput(number: 1, text: "a")
    #expect(!mayRun(input, settings, at: door))
    let proofs = AccountProofs(environment: environment)
    input.proof = await proofs.proof(for: input.proofBytes(settings), to: id)
    #expect(mayRun(input, settings, at: door))
    #expect(!mayRun(input, settings, at: AccountDoor()))
    #expect(!mayRun(input, ProgramSettings(["/bin/sh", "{}"]), at: door))
    var other = input
    other.text = "b"
    #expect(!mayRun(other, settings, at: door))
    var forged = input
    forged.proof?.digest ^= 1
    #expect(!mayRun(forged, settings, at: door))
    withExtendedLifetime(proofs) {}
  }

  @Test("A program that was allowed runs for a stranger, and no other one does")
  func allowedPrograms() throws {
    #expect(try found(program, try allowed()).path == program)
    // From the folder that it is in, too: names are compared, and nothing is looked up.
    var settings = ProgramSettings(["./scan.sh"])
    settings.directory = folder.path
    let leave = try allowed().leave(to: ProgramInput(number: 0), settings, by: AccountDoor())
    #expect(try leave.allowed("./scan.sh", in: folder.path)?.path == program)
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
    "A stranger names the program as it was allowed, or the file that it leads to, and by no other path"
  )
  func otherPaths() throws {
    let name = URL(fileURLWithPath: folder.path).lastPathComponent
    let link = folder.file("link")
    #expect(symlink(program, link) == 0)
    for path in [
      link, "\(folder.path)/../\(name)/scan.sh", "\(folder.path)//./scan.sh", "scan.sh/../x",
    ] {
      #expect(throws: SystemUnsuited.self) { try found(path, try allowed()) }
    }
    let linked = ProgramAccess.files([try #require(AllowedProgram(link))])
    for path in [link, program] { #expect(try found(path, linked).path == link) }
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
  func programOfAnInput() async {
    let scan = Program(access: .any)
    await #expect(throws: ProgramFailure.self) {
      try await scan.run(
        ProgramInput(number: 0, text: "/no/such/program"), settings: ProgramSettings(["{}"]))
    }
  }

  @Test("A scan in Swift allows peers its own program alone")
  func ownScan() async throws {
    let other = try Self.write("other.sh", in: folder)
    let scan = Program([program, "{}"])
    #expect(scan.settings.words == [program, "{}"])
    var attempt = ScanAttempt()
    attempt.isOfPeer = true
    await #expect(throws: SystemUnsuited.self) {
      try await scan.run(
        ProgramInput(number: 0), settings: ProgramSettings([other]), on: attempt)
    }
  }

  @Test("Variables of strangers are taken for any program alone, and an own account's always")
  func variables() async throws {
    var input = ProgramInput(number: 0)
    input.variables = ["LD_PRELOAD": "/evil.so"]
    let settings = ProgramSettings([program])
    let (door, id) = (AccountDoor(), UUID())
    let environment = ["XDG_RUNTIME_DIR": folder.path]
    door.open(as: id, environment: environment)
    #expect(throws: SystemUnsuited.self) {
      _ = try allowed().leave(to: input, settings, by: door)
    }
    _ = try ProgramAccess.any.leave(to: input, settings, by: door)
    let proofs = AccountProofs(environment: environment)
    input.proof = await proofs.proof(for: input.proofBytes(settings), to: id)
    _ = try allowed().leave(to: input, settings, by: door)
    input.variables?["LD_PRELOAD"] = "/other.so"
    #expect(throws: SystemUnsuited.self) {
      _ = try ProgramAccess.ownAccount.leave(to: input, settings, by: door)
    }
    withExtendedLifetime(proofs) {}
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
      _ words: [String], _ text: String?,
      _ changeSettings: (inout ProgramSettings) -> Void = { _ in },
      input change: (inout ProgramInput) -> Void = { _ in }
    ) -> ProvenBytes {
      var settings = ProgramSettings(words)
      changeSettings(&settings)
      var input = ProgramInput(number: 1, text: text)
      change(&input)
      return input.proofBytes(settings)
    }
    let all = [
      bytes(["a"], nil), bytes(["a"], ""), bytes(["a"], "1"), bytes(["a", ""], nil),
      bytes(["a", "1"], nil),
      bytes(["a1"], nil), bytes(["a"], nil) { $0.directory = "/x" },
      bytes(["a"], nil) { $0.givesInput = true }, bytes(["a"], nil) { $0.failFast = [1] },
      bytes(["a"], nil) { $0.form = .bytes }, bytes(["a"], nil) { $0.outputLimit = 1 },
      bytes(["a"], nil) { $0.directory = nil }, bytes(["a"], nil) { $0.files = ["x"] },
      bytes(["a"], nil, input: { $0.folder = FolderProof(FolderNumber(device: 1, inode: 2)) }),
      bytes(
        ["a"], nil,
        input: { $0.folder = FolderProof(FolderNumber(device: 1, inode: 2), token: "x") }),
      bytes(["a"], nil) { $0.sendsErrors = true }, bytes(["a"], nil, input: { $0.number = 2 }),
      bytes(["a"], nil, input: { $0.place = 1 }), bytes(["a"], nil, input: { $0.files = ["/x"] }),
      bytes(["a"], nil, input: { $0.variables = ["x": "y"] }),
    ]
    #expect(Set(all).count == all.count)
  }
}
