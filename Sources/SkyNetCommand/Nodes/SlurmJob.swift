/// A job as `squeue` tells of it.
struct SlurmJob: Hashable {
  /// What a job does, as far as it matters for the number of nodes.
  enum Phase: Hashable {
    /// It waits for resources, or is being started.
    case pending
    case running
    /// It is there, and does nothing now.
    case suspended
    case ended
  }

  /// What `squeue` is to print for each job.
  static let format = "%i|%A|%T|%r|%j|%Z"

  /// The job's name for Slurm's commands, such as `12_3`.
  let id: String
  /// The number that the job knows of itself, which is in its node's name.
  let number: String
  /// Slurm's word, such as `PREEMPTED`.
  let state: String
  /// Why the job waits, such as `Resources`.
  let reason: String
  let name: String
  let directory: String

  var phase: Phase {
    switch state {
    case "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD":
      .pending
    case "RUNNING", "SIGNALING", "RESIZING", "STAGE_OUT": .running
    case "SUSPENDED", "STOPPED": .suspended
    default: .ended
    }
  }

  /// Whether the job has ended by a fault of its own, and so may do the same again.
  var hasFailed: Bool { ["FAILED", "OUT_OF_MEMORY", "BOOT_FAIL"].contains(state) }

  /// Reads what `squeue` printed; lines that are no jobs are left out.
  static func jobs(_ text: String) -> [SlurmJob] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "|", maxSplits: 5, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 6 else { return nil }
      return SlurmJob(
        id: parts[0], number: parts[1], state: parts[2], reason: parts[3], name: parts[4],
        directory: parts[5])
    }
  }
}
