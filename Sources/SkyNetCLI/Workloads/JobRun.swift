import SkyNetCore

/// A run that is nothing but its job, and that may say something at its end:
///
/// ```swift
/// func prepare(_ options: RunOptions) -> any WorkloadRun {
///   JobRun(PrimesJob(below: limit)) { job, _ in ["\(job.count) primes below \(limit)"] }
/// }
/// ```
struct JobRun<J: Job>: WorkloadRun {
  let job: J
  private let summary: @Sendable (J, Tally) -> [String]

  /// - Parameter summary: makes lines for the end of the run of the job and its counts, however many sectors failed.
  init(_ job: J, summary: @escaping @Sendable (J, Tally) -> [String] = { _, _ in [] }) {
    self.job = job
    self.summary = summary
  }

  func complete(_ engagement: JobEngagement<J>) async throws -> RunOutcome {
    let (job, tally) = try await engagement.run()
    return RunOutcome(tally: tally, summary: summary(job, tally))
  }
}
