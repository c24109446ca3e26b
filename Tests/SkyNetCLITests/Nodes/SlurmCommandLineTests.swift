import ArgumentParser
import Testing

@testable import ImagesWorkload
@testable import ProgramsWorkload
@testable import SimulatedWorkload
@testable import SkyNetCLI
@testable import SkyNetCommand

@Suite("skynet nodes slurm")
struct SlurmCommandLineTests {
  private func fault(_ line: String) async throws -> String {
    let arguments = ["nodes", "slurm"] + line.split(separator: " ").map(String.init)
    let error = await #expect(throws: (any Error).self, "\(line)") {
      _ = try await SkyNet.command(arguments)
    }
    return SkyNet.text(of: try #require(error))
  }

  @Test(
    "Mistakes are told with what to do",
    arguments: [
      ("--time 1h", "give --count N, or --max N"),
      ("--count 2", "--time"),
      ("--count 0 --time 1h", "--count is 0, but at least 1 is needed"),
      ("--count 2 --max 3 --time 1h", "give one or the other"),
      ("--min 2 --time 1h", "--min is given without --max"),
      ("--min 3 --max 2 --time 1h", "--min is 3, but --max is 2"),
      ("--count 2 --time 30s", "--time is 30s, but at least 1m is needed"),
      ("--count 2 --time 1h --drain 1h", "--drain is 1h, but at most 59m59s is allowed"),
      ("--count 2 --time 1h --interval 5s", "give --max too"),
      ("--count 2 --time 1h --name a/b", "--name is \"a/b\""),
      ("--count 2 --time 1h -- --time=30", "give --time before the --"),
      ("--count 2 --time 1h -- -a 1-3", "-a after -- is not for sbatch here"),
      ("--count 2 --count 3 --time 1h", "--count is given 2 times"),
      ("--count 2 --time 1h --partition p", "--partition"),
    ])
  func mistakes(line: String, part: String) async throws {
    let fault = try await fault(line)
    #expect(fault.contains(part), "\(fault)")
  }

  @Test("What follows -- is sbatch's")
  func sbatchOptions() async throws {
    let command = try #require(
      try await SkyNet.command(
        ["nodes", "slurm", "--count", "8", "--time", "2h", "--", "--partition", "p", "--count"])
        as? SlurmCommand<Both<Both<ProgramsOffering, ImagesOffering>, SimulatedOffering>>)
    #expect(command.sbatchOptions == ["--partition", "p", "--count"])
    #expect(command.count == 8)
    #expect(command.time == 7200)
  }

  @Test("The directory is in the account's own, unless the environment names another")
  func places() throws {
    #expect(
      try SlurmPlaces.defaultDirectory(["HOME": "/home/a"]) == "/home/a/.local/state/skynet/slurm")
    #expect(
      try SlurmPlaces.defaultDirectory(["HOME": "/home/a", "XDG_STATE_HOME": "/s"])
        == "/s/skynet/slurm")
    #expect(throws: SlurmPlaces.Fault.self) { try SlurmPlaces.defaultDirectory([:]) }
  }
}
