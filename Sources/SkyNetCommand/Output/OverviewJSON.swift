import SkyNetCore
import SkyNetJournal

/// A journal's overview, as a JSON object on one line. What the run's parts are called names their members.
enum OverviewJSON {
  private struct Object: Encodable {
    let facts: Facts
    let parts: Parts?
    let failures: [Failure]
    let words: RunWords

    func encode(to encoder: any Encoder) throws {
      try facts.encode(to: encoder)
      var members = encoder.container(keyedBy: Name.self)
      try members.encodeIfPresent(parts, forKey: Name(words.part.many))
      try members.encode(failures, forKey: "failures")
    }
  }

  private struct Facts: Encodable {
    let run: RunID
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
  }

  private struct Share: Encodable {
    let system: String
    let completed: Int
    let seconds: Double
  }

  private struct Parts: Encodable {
    let count: Int
    let done: Int
    let failed: Int
    let open: Int
    let failures: [FailedPart]
  }

  private struct FailedPart: Encodable {
    let name: String
    let reason: String?
    let words: RunWords

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Name.self)
      try members.encode(name, forKey: Name(words.part.one))
      try members.encodeIfPresent(reason, forKey: "reason")
    }
  }

  private struct Failure: Encodable {
    let task: TaskID
    /// The part of a growing job, and the sector's number within it.
    let place: PartPlace?
    let story: TaskStory
    let words: RunWords

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Name.self)
      try members.encode(task.sector, forKey: "sector")
      try members.encode(task.pass, forKey: "pass")
      let part = words.part.one
      try members.encodeIfPresent(place?.name, forKey: Name(part))
      try members.encodeIfPresent(
        place?.sector, forKey: Name("sectorOf" + part.prefix(1).uppercased() + part.dropFirst()))
      try members.encode(story.attempts, forKey: "attempts")
      try members.encode(story.failures, forKey: "error")
    }
  }

  private struct Name: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringLiteral text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  static func text(_ overview: Overview, _ words: RunWords) throws -> String {
    let progress = overview.progress
    let facts = Facts(
      run: overview.run,
      job: Dictionary(
        overview.job.facts.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
      created: overview.created, software: overview.software, sectors: progress.sectors,
      done: progress.done, failed: progress.failed + progress.neverMade, starts: overview.starts,
      deaths: overview.deaths, inUse: overview.isInUse, attempts: overview.attempts,
      failedAttempts: overview.failedAttempts,
      systems: overview.shares.map {
        Share(system: $0.system, completed: $0.completed, seconds: $0.seconds)
      })
    let parts = overview.parts.map { parts in
      Parts(
        count: parts.count, done: parts.done, failed: parts.failed, open: parts.open,
        failures: parts.failures.map {
          FailedPart(name: $0.name, reason: $0.outcome.reason, words: words)
        })
    }
    let failures = overview.failures.map {
      Failure(task: $0.task, place: $0.place, story: $0.story, words: words)
    }
    return try LineJSON.text(
      Object(facts: facts, parts: parts, failures: failures, words: words)) + "\n"
  }
}
