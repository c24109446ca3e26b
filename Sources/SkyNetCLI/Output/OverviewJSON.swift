import SkyNetCore
import SkyNetJournal

/// A journal's overview, as a JSON object on one line.
enum OverviewJSON {
  private struct Object: Encodable {
    let run: RunID?
    let job: [String: String]
    let created: String
    let software: String
    let sectors: Int
    let done: Int
    let failed: Int
    let starts: Int
    let deaths: Int
    let inUse: Bool
    let attempts: Int
    let failedAttempts: Int
    let systems: [Share]
    let failures: [Failure]
  }

  private struct Share: Encodable {
    let system: String
    let completed: Int
    let seconds: Double
  }

  private struct Failure: Encodable {
    let sector: Int
    let pass: Int
    let attempts: Int
    let error: [FailedAttempt]
  }

  static func text(_ overview: Overview) throws -> String {
    let progress = overview.progress
    let object = Object(
      run: overview.run,
      job: Dictionary(
        overview.job.facts.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
      created: overview.created, software: overview.software, sectors: progress.sectors,
      done: progress.done, failed: progress.failed, starts: overview.starts,
      deaths: overview.deaths, inUse: overview.isInUse, attempts: overview.attempts,
      failedAttempts: overview.failedAttempts,
      systems: overview.shares.map {
        Share(system: $0.system, completed: $0.completed, seconds: $0.seconds)
      },
      failures: overview.failures.map {
        Failure(
          sector: $0.task.sector, pass: $0.task.pass, attempts: $0.story.attempts,
          error: $0.story.failures)
      })
    return try LineJSON.text(object) + "\n"
  }
}
