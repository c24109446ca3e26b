import ArgumentParser
import SkyPrograms
import SkyScan
import Testing

@testable import ImagesWorkload
@testable import ProgramsWorkload
@testable import SimulatedWorkload
@testable import SkyNetCLI
@testable import SkyNetCommand
@testable import SkySimulation

/// Takes no options, so that the help has those of every run alone.
private struct NoOptions: ParsableArguments {}

@Suite("The workloads of a command line")
struct WorkloadsTests {
  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  @Test("What chooses a workload are the options of its group, and those alone")
  func choosers() {
    func options<W: Workload>(_: W.Type) -> Set<String> { DeclaredOptions(of: W.Choice.self).names }
    for workload in SkyNet.workloads {
      #expect(options(workload) == Set(workload.choosers))
      let first = String(workload.invitation.prefix { $0 != " " })
      #expect(workload.takesWords ? first == "--" : workload.choosers.contains(first))
    }
  }

  @Test(
    "The first workload counts that the command line chooses, or else the last one",
    arguments: [
      ("", "Simulated"), ("--seed 1", "Simulated"), ("--total 5", "Simulated"),
      ("--total=5", "Simulated"), ("--image x", "Images"), ("--image=x", "Images"),
      ("--images l", "Images"), ("--follow d", "Images"), ("--total 5 --image x", "Images"),
      ("--results=--image", "Simulated"), ("-- --image", "Programs"),
      ("--total 5 -- x", "Programs"), ("--inputs a", "Programs"), ("--inputs-from l", "Programs"),
      ("--image x -- y", "Programs"),
    ])
  func choice(line: String, workload: String) {
    #expect("\(Workloads(all: SkyNet.workloads).workload(of: words(line)))" == workload)
  }

  @Test(
    "An option of another workload is refused with where it belongs, even with its default value",
    arguments: [
      ("--image x --seed 1", "--seed is for simulated scans: leave it or --image out"),
      ("--follow d --seed 1", "--seed is for simulated scans: leave it or --follow out"),
      (
        "--image=x --failing-every=10 --total 20 --seed 1",
        "--failing-every, --total and --seed are for simulated scans: leave them or --image out"
      ),
      (
        "--total 20 --image x",
        "--total is for simulated scans, and --image is for the scan of an image: leave out one"
      ),
      ("--clean", "--clean is for the scan of an image: give --image FILE too"),
      (
        "--partial --total 3 --mesh=64",
        "--partial and --mesh are for the scan of an image: give --image FILE too"
      ),
      ("--stdin --total 3", "--stdin is for programs: give -- PROGRAM too"),
      (
        "--image x -- ./y",
        "--image is for the scan of an image, and -- PROGRAM is for programs: leave out one"
      ),
      ("--total 3 --seed 1 -- ./y", "--seed is for simulated scans: leave it or -- PROGRAM out"),
      (
        "--total 20 ./scan.sh {}",
        "./scan.sh is no option: for programs, a program and its arguments come after --, as in skynet engage --total 20 "
          + "-- ./scan.sh '{}'"
      ),
      (
        "--total 20 /bin/sh --foo {}",
        "/bin/sh is no option: for programs, a program and its arguments come after --, as in skynet engage --total 20 -- "
          + "/bin/sh --foo '{}'"
      ),
      (
        "--total 20 true",
        "true is no option: for programs, a program and its arguments come after --, as in skynet engage --total 20 -- true"
      ),
      (
        "--total 20 -k -j4 -- true",
        "there is no -k here: give --in-order; there is no -j4 here: give --slots N, here and to each node"
      ),
      ("--image a.fits --retries 3", "there is no --retries here: give --attempts N"),
      (
        "/bin/sh -k {} ::: a b",
        "there is no ::: here: give --inputs A B, or --inputs-from LIST, and then -- with the program; pairs of two lists "
          + "are a table of tabs"
      ),
      (
        "--total 20 /bin/sh -k",
        "/bin/sh is no option: for programs, a program and its arguments come after --, as in skynet engage --total 20 -- "
          + "/bin/sh -k"
      ),
    ])
  func misplaced(line: String, fault: String) async {
    let error = await #expect(throws: InvalidCommandLine.self) {
      _ = try await SkyNet.command(["engage"] + words(line))
    }
    #expect(error?.fault == fault)
  }

  @Test(
    "A misspelled option is compared with those of all workloads, and other faults are the parser's",
    arguments: [
      ("--imgae x.fits", "Unknown option '--imgae'. Did you mean '--image'?"),
      ("-image x.fits", "Unknown option '-image'. Did you mean '--image'?"),
      ("--total 3 --catalgo x", "Unknown option '--catalgo'. Did you mean '--catalog'?"),
      ("--image x.fits --totl 5", "Unknown option '--totl'. Did you mean '--total'?"),
      ("--image x.fits --catalgo x", "Unknown option '--catalgo'. Did you mean '--catalog'?"),
      ("--zebra", "Unknown option '--zebra'"),
      ("--name --threshold", "Missing value for '--name <name>'"),
    ])
  func faults(line: String, fault: String) async {
    let error = await #expect(throws: (any Error).self) {
      _ = try await SkyNet.command(["engage"] + words(line))
    }
    #expect(error.map { SkyNet.text(of: $0).contains(fault) } == true, "\(error as Any)")
  }

  /// The text after `--results=` looks like an option and is a value.
  @Test("A value that reads like an option of another workload is no option")
  func aValueIsNoOption() async throws {
    let command = try await SkyNet.command(words("engage --results=--image --total 2"))
    let engage = try #require(command as? Engage<Simulated>)
    #expect(engage.workload.sectors.total == 2)
    #expect(engage.options.results.results == "--image")
  }

  private func help(_ line: String) async throws -> String {
    let error = await #expect(throws: (any Error).self) {
      _ = try await SkyNet.command(words(line))
    }
    return SkyNet.text(of: try #require(error))
  }

  @Test("The help without a workload has what every run takes, and what chooses each workload")
  func overview() async throws {
    for line in ["engage --help", "help engage", "engage --slots 2 --help"] {
      let text = try await help(line)
      let options = text.matches(of: /(?m)^  (-[a-z-]+)/)
      #expect(options.count <= 41, "\(options.map(\.output.1))")
      for option in ["--total", "--image", "--images", "--follow", "--peers", "--inputs"] {
        #expect(text.contains("\n  \(option) "), "\(option)")
      }
      #expect(!text.contains("--mesh") && !text.contains("--latency"))
    }
    let general = Engage<NoOptions>.helpMessage().matches(of: /(?m)^  (-[a-z-]+)/)
    #expect(general.count <= 34)
  }

  @Test("-h has the ten options that matter in a window of 80 columns, and names --help for all")
  func brief() async throws {
    func options(_ text: String) -> [String] {
      text.matches(of: /(?m)^  (?:-[a-z], )?(--[a-z-]+)/).map { String($0.output.1) }
    }
    let text = try await help("engage -h")
    #expect(
      options(text) == [
        "--image", "--catalog", "--inputs", "--total", "--results", "--journal", "--wait-for",
        "--peers", "--web", "--quiet",
      ])
    #expect(text.hasSuffix("`skynet engage --help` shows all options."), "\(text)")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let option = try #require(lines.firstIndex { $0.hasPrefix("  --journal <file>") })
    #expect(lines[option].hasSuffix("  Record the run in this file"), "\(lines[option])")
    #expect(lines.count <= 24)
    for line in lines where !line.hasPrefix("  skynet ") { #expect(line.count <= 80, "\(line)") }
    // With a workload, its own.
    let image = try await help("engage --image sky.fits -h")
    #expect(options(image).contains("--catalog") && !options(image).contains("--total"))
    #expect(try await help("engage -h --help").contains("\n  --scan-timeout"))
  }

  @Test("The program's help groups its commands")
  func groups() async throws {
    let text = SkyNet.root(for: ["--help"]).helpMessage()
    for (group, command) in [
      ("RUN", "node"), ("SEE", "watch"), ("AFTERWARDS", "runs"), ("MEMBERS", "invite"),
      ("DEPLOY", "nodes"),
    ] {
      #expect(text.contains("\n\(group) SUBCOMMANDS:\n  \(command) "), "\(group)")
    }
    #expect(!text.contains("\nSUBCOMMANDS:"))
  }

  @Test(
    "Completions are what the parser makes of all workloads", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) async throws {
    let command = try await SkyNet.command(["completions", shell])
    #expect((command as? CompletionsCommand)?.shell.rawValue == shell)
    let root = SkyNet.root(for: ["completions", shell])
    let whole = SkyNet.root(for: ["--generate-completion-script", shell])
    #expect(ObjectIdentifier(root) == ObjectIdentifier(whole))
    let script = root.completionScript(for: try #require(CompletionShell(rawValue: shell)))
    for word in ["catalog", "failing-every", "fail-fast-on", "watch"] {
      #expect(script.contains(word), "\(word)")
    }
  }

  @Test("The help of a workload has its options, and those for measurements only where asked for")
  func helpOfAWorkload() async throws {
    for line in [
      "help engage --image", "engage --image --help", "engage --image x --mesh 9 --help",
    ] {
      let text = try await help(line)
      #expect(text.contains("\n  --mesh") && text.contains("\n  --peers"))
      #expect(!text.contains("--seed") && !text.contains("--in-flight"))
    }
    for line in ["help engage --", "help engage --inputs", "engage --inputs x --help"] {
      let programs = try await help(line)
      #expect(programs.contains("\n  --fail-fast-on") && programs.contains("\n  --total"))
      #expect(!programs.contains("--seed") && !programs.contains("--mesh"))
    }
    let simulated = try await help("help engage --total")
    #expect(simulated.contains("\n  --seed") && !simulated.contains("\n  --scan-spread"))
    let hidden = try await help("engage --total --help-hidden")
    for option in ["--scan-spread", "--sector-bytes", "--latency", "--in-flight"] {
      #expect(hidden.contains("\n  \(option)"), "\(option)")
    }
  }

  @Test("A node takes the options of all workloads, and offers their scans")
  func node() async throws {
    let command = try await SkyNet.command(words("node --speed 2 --pixel-cache 0"))
    let node = try #require(
      command as? NodeCommand<Both<Both<ProgramsOffering, ImagesOffering>, SimulatedOffering>>)
    let offer = try node.offering.offer(withholding: [])
    #expect(
      offer.scans.contains { $0 is SimulatedScan } && offer.scans.contains { $0 is SourceScan }
        && offer.scans.contains { $0 is SkyPrograms.Program })
    #expect(offer.figures().count == 1)
    #expect(!offer.dropUnused())
  }

  @Test("The description of all workloads has an option once that several of them have")
  func described() {
    let all = Workloads(all: SkyNet.workloads).engageCommand(for: ["--experimental-dump-help"])
    let names = all.helpMessage(includeHidden: true).matches(of: /(?m)^  (--[a-z-]+)/)
      .map { String($0.output.1) }
    for name in ["--total", "--summary", "--inputs", "--image", "--seed", "--mesh", "--until-idle"]
    {
      #expect(names.count { $0 == name } == 1, "\(name)")
    }
  }

  @Test("The words after -- reach the program as they are")
  func programWords() async throws {
    let command = try await SkyNet.command(
      ["engage", "--slots", "2", "--total", "3", "--", "./scan.sh", "{}", "--slots", "-x", ""])
    let engage = try #require(command as? Engage<Programs>)
    #expect(engage.workload.words == ["./scan.sh", "{}", "--slots", "-x", ""])
    #expect(engage.systems.slots == 2)
  }
}
