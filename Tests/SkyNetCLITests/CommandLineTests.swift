import ArgumentParser
import SkyNetKit
import SkyScan
import Testing

@testable import ImagesWorkload
@testable import SimulatedWorkload
@testable import SkyNetCLI
@testable import SkyNetCommand
@testable import SkySimulation

/// Parsing and checking of command lines, without running them.
@Suite("The command line")
struct CommandLineTests {
  private func simulated(_ line: String) throws -> Engage<Simulated> {
    try Engage<Simulated>.parse(line.split(separator: " ").map(String.init))
  }

  @Test(
    "A wrong command line is refused with its fault",
    arguments: [
      (["engage", "--total", "0"], "at least 1"),
      (["engage", "--total", "-3"], "at least 1"),
      (["engage", "--total", "abc"], "--total is \"abc\", but a whole number is needed"),
      (["engage", "--total", "1e3"], "--total is \"1e3\", but a whole number is needed"),
      (["engage", "--total", "99999999999999999999"], "but a smaller number is needed"),
      (["engage", "--seed=-1"], "--seed is \"-1\", but a larger number is needed"),
      (["engage", "--slots", "many"], "--slots is \"many\", but a whole number is needed"),
      (["node", "--slots", "many"], "--slots is \"many\", but a whole number is needed"),
      (["engage", "--image", "x", "--threshold", "high"], "\"high\", but a number is needed"),
      (["engage", "--slots", "0"], "--slots is 0"),
      (["engage", "--total", "5", "--image", "x.fits"], "--total"),
      (["engage", "--catalog", "x.csv"], "--image FILE"),
      (["engage", "--image", "x.fits", "--json"], "--catalog FILE"),
      (["engage", "--image", "x.fits", "--sector-size", "100"], "multiples of 64"),
      (
        ["engage", "--image", "x.fits", "--sector-size", "192", "--mesh", "128"], "multiples of 128"
      ),
      (
        ["engage", "--image", "x", "--threshold", "-1"],
        "--threshold is -1, but a number above 0 is needed"
      ),
      (["engage", "--image", "x", "--threshold", "nan"], "but a number above 0 is needed"),
      (["engage", "--image", "x", "--gain", "nan"], "--gain is nan, but a number is needed"),
      (
        ["engage", "--image", "x", "--deblend-contrast", "2"],
        "--deblend-contrast is 2, but at most 1 is allowed"
      ),
      (["engage", "--image", "x.fits", "--columns", "X_IMAGE,X_IMAG"], "\"X_IMAG\" is none of"),
      (["engage", "--image", "x.fits", "--apertures", "5,"], "--apertures"),
      (["engage", "--image", "x.fits", "--catalog", "x.txt"], ".ecsv"),
      (["engage", "--picture", "x.png"], "--image FILE"),
      (["engage", "--mesh", "128"], "--image FILE"),
      (["engage", "--image", "x.fits", "--share", "0/2"], "Unknown option '--share'"),
      (["engage", "--image", "x.fits", "--catalog", "./x.fits"], "--image and --catalog"),
      (["engage", "--image", "x", "--catalog", "a.csv", "--catalog", "a.csv"], "the same file"),
      (["engage", "--image", "x", "--weight", "w.fits", "--picture", "w.fits"], "--weight"),
      (
        ["merge", "--image", "x.fits", "--background-file", "b", "--catalog", "b", "f"], "same file"
      ),
      (["engage", "--image", "x.fits[2]", "--extension", "3"], "--extension 3"),
      (["engage", "--image", "x.fits[2]", "--catalog", "x.fits"], "--image and --catalog"),
      (["engage", "--image", "a", "--catalog", "{nam}.csv"], "{nam}"),
      (["engage", "--image", "a", "b", "--picture", "{name}.png"], "give --catalog 'FOLDER"),
      (
        ["engage", "--image", "a", "--picture", "{name}.png", "--json"],
        "--json and --catalog would both write to standard output"
      ),
      (["engage", "--extension", "3"], "--image FILE"),
      (["engage", "--image", "x.fits", "--scan-seconds", "1"], "--image"),
      (["engage", "--image", "x.fits", "--sector-bytes", "1"], "--image"),
      (["engage", "--image", "x.fits", "--scan-spread", "1"], "--image"),
      (["engage", "--scan-spread", "-1"], "--scan-spread"),
      (["engage", "--scan-spread", "nan"], "--scan-spread"),
      (["engage", "--scan-spread", "1", "--seed", "-1"], "--seed"),
      (["engage", "--sector-bytes", "2000000000"], "at most 1073741824"),
      (["engage", "--no-local", "--slots", "2"], "--no-local"),
      (["engage", "--no-local", "--no-discovery"], "--peers host:port"),
      (["engage", "--no-local", "--no-discovery", "--image", "x.fits"], "--no-local"),
      (["engage", "--wait-for", "1", "--no-discovery"], "--peers host:port"),
      (["engage", "--wait-timeout", "5"], "give --wait-for N too"),
      (["engage", "--wait-for", "1", "--wait-timeout", "0"], "--wait-timeout"),
      (
        ["engage", "--json", "--results", "-"], "--json and --results would both write to standard"
      ),
      (
        ["engage", "--events", "-", "--results", "-"], "--results and --events would both write to"
      ),
      (["engage", "--image", "x.fits", "--results", "-"], "--results and --catalog would both"),
      (["engage", "--image", "x", "--catalog", "-", "--json"], "--json and --catalog would both"),
      (["engage", "--image", "x", "--catalog", "-", "--catalog", "-"], "would both write to"),
      (["engage", "--image", "x", "--picture", "-"], "--catalog and --picture would both write"),
      (["engage", "--image", "x", "--catalog", "-", "--summary", "-"], "would both write to"),
      (
        ["engage", "--image", "x", "--catalog", "-", "--events", "/dev/stdout"], "would both write"
      ),
      (["engage", "--json", "--events", "/dev/fd/1"], "would both write to standard output"),
      (["engage", "--total", "1", "--summary", "-", "--", "true"], "would both write to standard"),
      (["engage", "--total", "1", "--output", "-", "--", "true"], "without --output, standard"),
      (["engage", "--results", "/dev/stderr", "--events", "/dev/fd/2"], "name the same file"),
      (["engage", "--journal", "-"], "give a file's name"),
      (["engage", "--journal", "/dev/stdout"], "give a file's name"),
      (["merge", "--image", "x", "--background-file", "b", "--picture", "-", "s"], "would both"),
      (["replay", "run.sqlite", "--sector", "1", "--save", "-"], "give --save a file's name"),
      (["engage", "--results", ""], "--results is empty"),
      (["scan", "--image", "x", "--count", "--output", "n"], "--count is printed"),
      (["scan", "--image", "x", "--count", "--sectors", "1"], "leave --sectors out"),
      (["scan", "--image", "x", "--count", "--share", "0/1"], "leave --share out"),
      (["scan", "--image", "x", "--background", "--sectors", "0-9,"], "\"\" is neither a number"),
      (["scan", "--image", "x", "--background", "--sectors", "9-0"], "goes backwards"),
      (["scan", "--image", "x", "--background", "--share", "8/8"], "the last one is 7/8"),
      (
        ["scan", "--image", "x", "--background", "--sector", "1", "--share", "0/1"],
        "--sector and --share both choose sectors"
      ),
      (["engage", "--timeout", "0"], "--timeout"),
      (["engage", "--attempts", "0"], "--attempts"),
      (["engage", "--wait-for", "-1"], "--wait-for"),
      (["engage", "--peers", "a:1,b"], "\"b\" is not host:port"),
      (["engage", "--retry-failed"], "--journal FILE"),
      (["engage", "--journal", ""], "--journal is empty"),
      (["engage", "--journal", "x", "--results", "./x"], "--journal and --results"),
      (["engage", "--image", "i", "--journal", "x", "--catalog", "y/../x"], "--catalog"),
      (["runs"], "file"),
      (["node", "--port", "70000"], "at most 65535"),
      (["node", "--speed", "0"], "--speed"),
      (["node", "--log-level", "loud"], "loud"),
      (["node", "--name", ""], "--name"),
      (["systems", "--wait", "-1"], "--wait"),
      (["engage", "--web", "localhost"], "--web is \"localhost\""),
      (["node", "--web=70000"], "--web is \"70000\""),
      (["engage", "--web-keep"], "give --web too"),
      (["engage", "--web", "--total", "1", "--web"], "--web is given 2 times"),
    ])
  func aMistakeIsNamed(arguments: [String], words: String) async {
    await #expect {
      _ = try await SkyNet.command(arguments)
    } throws: { error in
      SkyNet.text(of: error).contains(words) && SkyNet.status(of: error) == 64
    }
  }

  @Test("The results may go to standard output, also beside a journal and a catalogue's file")
  func resultsMayGoToStandardOutput() async throws {
    let line = "engage --image x --catalog x.csv --journal j --results -"
    let command = try await SkyNet.command(line.split(separator: " ").map(String.init))
    let results = try #require(command as? Engage<Images>).options.results
    #expect(results.printing == "results" && results.resultsFile == nil)
  }

  @Test(
    "One output may go to standard output, whichever it is",
    arguments: [
      "engage --image x --catalog -", "engage --image x --catalog x.csv --picture -",
      "engage --image x --catalog x.csv --summary -", "engage --total 1 --results r --events -",
      "engage --total 1 --results r --summary - -- true", "engage --image x --catalog /dev/stdout",
      "scan --image x --background --sector 0 --output -",
      "merge --image x --background --output - s", "report run.sqlite -o -", "make-sky -",
    ])
  func oneOutputMayGoToStandardOutput(line: String) async throws {
    _ = try await SkyNet.command(line.split(separator: " ").map(String.init))
  }

  @Test("Help and faults of a command tell of the whole program")
  func usage() async {
    for arguments in [["engage", "--help"], ["engage", "--nonsense"], ["help", "engage"]] {
      let error = await #expect(throws: (any Error).self) {
        var command = try await SkyNet.command(arguments)
        try command.run()
      }
      guard let error else { return }
      #expect(
        SkyNet.text(of: error).lowercased().contains("usage: skynet engage"),
        "\(arguments)")
    }
  }

  @Test("A small image is not cut where no other system can help, and nobody is shown its sectors")
  func uncutImage() async throws {
    let image = "engage --image x --catalog x.csv --no-discovery --slots"
    let lines = [
      ("\(image) 1", true), ("\(image) 1 --picture x.png", true), ("\(image) 2", true),
      ("engage --image x --catalog x.csv --slots 1", false),
      ("\(image) 1 --peers a:1", false), ("\(image) 1 --rendezvous d", false),
      ("\(image) 1 --listen 0", false), ("\(image) 1 --journal j", false),
      ("\(image) 1 --results r", false), ("\(image) 1 --events e", false),
      ("\(image) 1 --json", false), ("\(image) 1 --web", false),
    ]
    for (line, isWhole) in lines {
      let command = try await SkyNet.command(line.split(separator: " ").map(String.init))
      let engage = try #require(command as? Engage<Images>)
      #expect(engage.options.noneSeesSectors == isWhole, "\(line)")
    }
  }

  @Test("A run is alone where nobody is found, may dial or is served, and then it reads no key")
  func alone() async throws {
    let key = "/dev/null/skynet/cluster.key"
    let lines = [
      ("--no-discovery", true), ("--no-discovery --slots 2 --web", true), ("", false),
      ("--no-discovery --peers a:1", false), ("--no-discovery --rendezvous d", false),
      ("--no-discovery --listen 0", false), ("--no-discovery --serve", false),
    ]
    for (line, isAlone) in lines {
      let options = try simulated("--key-file \(key) \(line)").options
      #expect(options.isAlone == isAlone, "\(line)")
      guard isAlone else { continue }
      let transports = try (0..<2).map { _ in
        try options.security.transport(.standardError, isAlone: true)
      }
      // Encrypted, and each with a key of its own.
      #expect(Set(transports.flatMap(\.fingerprints)).count == 2)
    }
  }

  @Test("Only a command line that says nothing of the scan is bare")
  func aBareCommandLine() throws {
    let lines = [
      ("", true), ("--wait-for 2 --slots 3", true), ("--total 21", false),
      ("--scan-seconds 2", false), ("--failing-every 0", false),
    ]
    for (line, isBare) in lines {
      let engage = try simulated(line)
      #expect(engage.workload.isBare == isBare, "\(line)")
    }
  }

  @Test("The version tells the commit, if the build was told")
  func theVersionTellsTheCommit() {
    let told = BuildVersion.text(of: "skynet", commit: "9dfd820e04ec")
    #expect(told.hasPrefix("skynet ") && told.hasSuffix(", commit 9dfd820e04ec)"))
    #expect(!BuildVersion.text(of: "skynet", commit: nil).contains("commit"))
    #expect(SkyNet.root(for: []).configuration.version == BuildVersion.text(of: "skynet"))
    #expect(BuildVersion.text(of: "primes").hasPrefix("primes, with SkyNet "))
  }

  @Test("A device may be named by two options")
  func aDeviceMayBeNamedTwice() throws {
    _ = try Engage<Images>.parse(
      ["--image", "x", "--results", "/dev/null", "--catalog", "/dev/null"])
  }

  @Test("The simulated scan has the settings of its options")
  func aSimulatedScanIsWhatTheOptionsSay() throws {
    let engage = try simulated(
      "--scan-seconds 0.01 --scan-spread 1.5 --seed 7 --sector-bytes 4096 --failing-every 0")
    let lengths = ScanLengths(median: 0.01, spread: 1.5, seed: 7)
    #expect(
      engage.workload.simulation.settings
        == .init(lengths: lengths, failingEvery: 0, sectorBytes: 4096))
  }

  /// The seed also determines the failures.
  @Test("A seed may be given without a spread")
  func aSeedNeedsNoSpread() throws {
    let engage = try simulated("--seed 7")
    #expect(engage.workload.simulation.settings == .init(lengths: .init(seed: 7)))
  }

  @Test("The defaults are those in the help")
  func theDefaultsAreWhatTheHelpSays() throws {
    let engage = try simulated("")
    #expect(engage.options.failures.timeout == 5)
    #expect(engage.options.failures.attempts == 5)
    #expect(engage.workload.simulation.settings == .init(seconds: 1, failingEvery: 10))
    #expect(Machine.slots >= 1)
  }
}
