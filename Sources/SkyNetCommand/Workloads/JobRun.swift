public import SkyNetCore

/// A run that is nothing but its job, and that may say at its end what the job has found:
///
/// ```swift
/// func prepare(_ options: RunOptions) -> any WorkloadRun {
///   JobRun(PrimesJob(settings: limit)) { ["\($0.count) primes below \(limit)"] }
/// }
/// ```
public struct JobRun<J: Job>: WorkloadRun {
  public let job: J
  private let summary: @Sendable (J) -> [String]

  /// - Parameters:
  ///   - job: the run's job.
  ///   - summary: makes lines for the end of the run. It is called if every sector has its result: of less they might
  ///     not hold.
  public init(_ job: J, summary: @escaping @Sendable (J) -> [String] = { _ in [] }) {
    self.job = job
    self.summary = summary
  }

  public func complete(_ engagement: JobEngagement<J>) async throws -> RunOutcome {
    let (job, tally) = try await engagement.run()
    let isWhole = tally.completed == tally.total
    return RunOutcome(tally: tally, summary: isWhole ? summary(job) : [])
  }
}
