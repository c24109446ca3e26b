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
    let images: Images?
    let failures: [Failure]
  }

  private struct Share: Encodable {
    let system: String
    let completed: Int
    let seconds: Double
  }

  private struct Images: Encodable {
    let count: Int
    let done: Int
    let failed: Int
    let open: Int
    let failures: [FailedImage]
  }

  private struct FailedImage: Encodable {
    let image: String
    let reason: String?
  }

  private struct Failure: Encodable {
    let sector: Int
    let pass: Int
    /// The image of a night, and the sector's number within it.
    let image: String?
    let sectorOfImage: Int?
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
      done: progress.done, failed: progress.failed + progress.neverMade, starts: overview.starts,
      deaths: overview.deaths, inUse: overview.isInUse, attempts: overview.attempts,
      failedAttempts: overview.failedAttempts,
      systems: overview.shares.map {
        Share(system: $0.system, completed: $0.completed, seconds: $0.seconds)
      },
      images: overview.parts.map(images),
      failures: overview.failures.map {
        Failure(
          sector: $0.task.sector, pass: $0.task.pass, image: $0.place?.name,
          sectorOfImage: $0.place?.sector, attempts: $0.story.attempts, error: $0.story.failures)
      })
    return try LineJSON.text(object) + "\n"
  }

  private static func images(_ parts: PartsOverview) -> Images {
    Images(
      count: parts.count, done: parts.done, failed: parts.failed, open: parts.open,
      failures: parts.failures.map { FailedImage(image: $0.name, reason: $0.outcome.reason) })
  }
}
