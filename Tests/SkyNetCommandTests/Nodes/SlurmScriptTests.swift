import Testing

@testable import SkyNetCommand

@Suite("The batch script of a node")
struct SlurmScriptTests {
  private static let script = SlurmScript(
    name: "skynet-node", program: "/opt/skynet", directory: "/home/ada/meeting",
    logs: "/home/ada/meeting-logs", time: 7200, drain: 120, slots: 8, isRequeued: true,
    nodeArguments: ["--key-file", "/home/ada/a key"])

  @Test("Slurm gets the jobs' limits, and the node leaves before them")
  func options() {
    let text = Self.script.text(count: 4)
    #expect(text.hasPrefix("#!/bin/sh\n#SBATCH --job-name=skynet-node\n#SBATCH --array=1-4\n"))
    for line in [
      "--ntasks=1", "--cpus-per-task=8", "--time=02:00:00", "--signal=B:TERM@120", "--requeue",
      "--chdir=/home/ada/meeting", "--output=/home/ada/meeting-logs/%j.log",
    ] {
      #expect(text.contains("\n#SBATCH \(line)\n"), "\(line)")
    }
    #expect(text.contains("--lifetime 1h59m55s --drain-timeout 1m55s"))
    #expect(text.hasSuffix(" --key-file '/home/ada/a key'\n"))
  }

  @Test("The node takes the shell's place, which alone gets the signal")
  func exec() throws {
    let last = try #require(Self.script.text(count: 1).split(separator: "\n").last)
    #expect(last.hasPrefix("exec /opt/skynet node "))
    #expect(!Self.script.text(count: 1).contains("--array"))
  }

  @Test("Without a drain Slurm does not ask, and the node goes by its lifetime")
  func withoutDrain() {
    var script = Self.script
    (script.drain, script.time, script.idleTimeout) = (0, 60, 30)
    let text = script.text(count: 1)
    #expect(!text.contains("--signal") && !text.contains("--drain-timeout"))
    #expect(text.contains("--lifetime 57s --idle-timeout 30s"))
  }

  @Test("Paths keep their spaces, quotes and percent signs")
  func paths() {
    var script = Self.script
    script.directory = "/a b/it's"
    script.logs = "/a b/50%"
    script.program = "/a b/skynet"
    let text = script.text(count: 1)
    #expect(text.contains("\n#SBATCH --chdir=\"/a b/it's\"\n"))
    #expect(text.contains("\n#SBATCH --output=\"/a b/50%%/%j.log\"\n"))
    #expect(text.contains("--rendezvous '/a b/it'\\''s'"))
    #expect(text.contains("exec '/a b/skynet' node"))
  }

  @Test(
    "A time limit in Slurm's form",
    arguments: [
      (60.0, "00:01:00"), (90.5, "00:01:31"), (7200.0, "02:00:00"), (86_400.0, "1-00:00:00"),
      (608_461.0, "7-01:01:01"),
    ])
  func times(seconds: Double, text: String) {
    #expect(SlurmTime.text(seconds) == text)
  }

  @Test("Words that a shell would take apart are quoted")
  func words() {
    #expect(ShellWord.quoted("--time=1:00") == "--time=1:00")
    #expect(ShellWord.quoted("") == "''")
    #expect(ShellWord.quoted("a b$c") == "'a b$c'")
    #expect(ShellWord.quoted("~/a") == "'~/a'")
  }
}
