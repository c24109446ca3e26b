import Testing

@testable import SkyNetCommand

@Suite("What Slurm's commands print")
struct SlurmJobTests {
  @Test("squeue's lines become jobs; the directory may have any characters")
  func jobs() throws {
    let jobs = SlurmJob.jobs(
      "12_1|13|RUNNING|None|skynet-node|/home/a|b\nslurm_load_jobs error\n12_2|12|PENDING|Resources|skynet-node|/home/a|b\n"
    )
    #expect(jobs.map(\.id) == ["12_1", "12_2"])
    #expect(jobs.map(\.number) == ["13", "12"])
    #expect(jobs.map(\.phase) == [.running, .pending])
    #expect(jobs.allSatisfy { $0.directory == "/home/a|b" })
    #expect(jobs.last?.reason == "Resources")
  }

  @Test(
    "The states of a job",
    arguments: [
      ("CONFIGURING", SlurmJob.Phase.pending), ("REQUEUED", .pending), ("SUSPENDED", .suspended),
      ("COMPLETING", .ended), ("PREEMPTED", .ended), ("TIMEOUT", .ended), ("NODE_FAIL", .ended),
    ])
  func phases(state: String, phase: SlurmJob.Phase) {
    let job = SlurmJob(id: "1", number: "1", state: state, reason: "", name: "a", directory: "/")
    #expect(job.phase == phase)
    #expect(!job.hasFailed)
  }

  @Test("What sbatch complains of is one line")
  func complaints() {
    let fault = ExternalProgram.fault(
      of: "sbatch",
      "sbatch: error: invalid partition specified: x\nsbatch: error: Batch job submission failed: Invalid partition\n",
      status: 1)
    #expect(
      fault
        == "sbatch failed: error: invalid partition specified: x; error: Batch job submission failed: Invalid partition"
    )
    #expect(ExternalProgram.fault(of: "squeue", "", status: 3) == "squeue failed: it ended with 3")
  }

  @Test("A program that is not there is named, and what fails says why")
  func programs() async throws {
    #expect(throws: ExternalProgram.Failure.self) {
      try ExternalProgram("no-such-program")
    }
    let shell = try ExternalProgram("sh")
    #expect(try await shell.run(["-c", "cat; echo \"$0\"", "b"], input: "a\n") == "a\nb\n")
    await #expect(throws: ExternalProgram.Failure(description: "sh failed: no")) {
      try await shell.run(["-c", "echo no >&2; exit 3"])
    }
  }
}
