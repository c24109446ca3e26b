/// The batch script of a job that is a node.
struct SlurmScript: Hashable {
  /// The job's name.
  var name: String
  /// The program on the compute nodes.
  var program: String
  /// The directory in which nodes and engagements meet.
  var directory: String
  /// Where the jobs' output goes.
  var logs: String
  /// The job's time limit, in seconds.
  var time: Double
  /// How long before the limit Slurm asks the node to leave, in seconds; with 0 it does not ask.
  var drain: Double
  /// How many scans a node runs at a time, and how many processors the job asks for.
  var slots: Int
  /// Whether the job is queued again after it was preempted or its machine has failed.
  var isRequeued: Bool
  /// After how long without a scan the node leaves, in seconds; `nil` if it stays.
  var idleTimeout: Double?
  /// Further arguments of `skynet node`.
  var nodeArguments: [String] = []

  /// What Slurm and the start of the program may need of the job's time, in seconds.
  private static let startSeconds = 5.0

  /// How long the node's running scans may take when it is asked to leave, in seconds: it is gone before Slurm kills
  /// it.
  var drainTimeout: Double? { drain > 0 ? max(drain - 5, drain / 2) : nil }

  /// How long a node lives, in seconds.
  var lifetime: Double { time - min(Self.startSeconds, time / 20) }

  /// The script for this many nodes.
  func text(count: Int) -> String {
    (["#!/bin/sh"] + options(count: count).map { "#SBATCH \($0)" } + body).joined(separator: "\n")
      + "\n"
  }

  private func options(count: Int) -> [String] {
    [
      "--job-name=\(Self.optionValue(name))",
      count > 1 ? "--array=1-\(count)" : nil,
      "--ntasks=1",
      "--cpus-per-task=\(slots)",
      "--time=\(SlurmTime.text(time))",
      drain > 0 ? "--signal=B:TERM@\(Int(drain.rounded(.up)))" : nil,
      isRequeued ? "--requeue" : "--no-requeue",
      "--open-mode=append",
      "--chdir=\(Self.optionValue(directory))",
      "--output=\(Self.optionValue(logs.replacing("%", with: "%%") + "/%j.log"))",
    ].compactMap { $0 }
  }

  private var body: [String] {
    let program = ShellWord.quoted(program)
    return [
      "# A node of a SkyNet cluster. The signal goes to this shell alone, so the node takes the shell's place.",
      "unset SKYNET_KEY SKYNET_KEY_FILE",
      "if ! [ -x \(program) ]; then",
      "  echo \"there is no program \"\(program)\" on $SLURMD_NODENAME:"
        + " name one that compute nodes have, with --program\" >&2",
      "  exit 2",
      "fi",
      "exec \(program) node \(arguments)",
    ]
  }

  private var arguments: String {
    var words = [
      "--name", "\"$(printf %.40s \"${SLURMD_NODENAME:-$(hostname)}\")-$SLURM_JOB_ID\"",
      "--slots", "\"${SLURM_CPUS_PER_TASK:-\(slots)}\"",
      "--no-discovery", "--rendezvous", ShellWord.quoted(directory),
      "--lifetime", Self.seconds(lifetime),
    ]
    if let drainTimeout { words += ["--drain-timeout", Self.seconds(drainTimeout)] }
    if let idleTimeout { words += ["--idle-timeout", Self.seconds(idleTimeout)] }
    return (words + nodeArguments.map(ShellWord.quoted)).joined(separator: " ")
  }

  private static func seconds(_ seconds: Double) -> String { TimeOption.text(seconds) }

  /// A value in a line `#SBATCH`, whose words sbatch reads much as a shell does.
  private static func optionValue(_ value: String) -> String {
    value.contains(where: { " \t\"'\\#".contains($0) })
      ? "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" : value
  }
}
