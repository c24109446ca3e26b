import Foundation

/// Slurm's commands.
struct Slurm: Sendable {
  /// The most jobs of one array, with Slurm's own setting of `MaxArraySize`.
  static let mostJobs = 1000

  private let sbatch: ExternalProgram
  private let squeue: ExternalProgram
  private let scancel: ExternalProgram
  /// Further options for `sbatch`.
  let options: [String]

  /// - Throws: `ExternalProgram.Failure` if a command is missing.
  init(options: [String]) throws {
    sbatch = try ExternalProgram("sbatch")
    squeue = try ExternalProgram("squeue")
    scancel = try ExternalProgram("scancel")
    self.options = options
  }

  /// Submits jobs, and returns the number of each array of jobs.
  ///
  /// - Throws: `ExternalProgram.Failure`.
  func submit(_ script: SlurmScript, count: Int) async throws -> [String] {
    var (numbers, left) = ([String](), count)
    while left > 0 {
      let part = min(left, Self.mostJobs)
      let printed = try await sbatch.run(
        ["--parsable"] + options, input: script.text(count: part),
        leavingOut: Self.isLeftOut)
      // With several clusters it is `number;cluster`.
      let number = printed.split(whereSeparator: { $0.isWhitespace || $0 == ";" }).first
      guard let number else {
        throw ExternalProgram.Failure(description: "sbatch told no job's number: \(printed)")
      }
      numbers.append(String(number))
      left -= part
    }
    return numbers
  }

  /// This user's jobs of these names in this directory, also those that have ended lately.
  ///
  /// - Throws: `ExternalProgram.Failure`.
  func jobs(named names: [String], in directory: String) async throws -> [SlurmJob] {
    let printed = try await squeue.run(
      [
        "--noheader", "--array", "--states=all", "--user=\(getuid())",
        "--name=\(names.joined(separator: ","))", "--format=\(SlurmJob.format)",
      ], leavingOut: { $0.hasPrefix("SQUEUE_") })
    return SlurmJob.jobs(printed).filter { $0.directory == directory }
  }

  /// - Throws: `ExternalProgram.Failure`.
  func cancel(_ jobs: [String], isPending: Bool) async throws {
    _ = try await scancel.run(
      (isPending ? ["--state=PENDING"] : []) + jobs, leavingOut: { $0.hasPrefix("SCANCEL_") })
  }

  /// A key would be stored with the job, and sbatch takes these variables before the options in the script.
  private static func isLeftOut(_ variable: String) -> Bool {
    let overriding = [
      "JOB_NAME", "ARRAY_INX", "TIMELIMIT", "SIGNAL", "REQUEUE", "NO_REQUEUE", "OPEN_MODE",
      "OUTPUT",
      "CHDIR", "WORK_DIR", "CPUS_PER_TASK",
    ]
    return variable == "SKYNET_KEY" || overriding.contains { variable == "SBATCH_\($0)" }
  }
}
