/// What a run's parts are called, and the points that its picture shows. The workload says it: a scan of books would
/// say *chapter* and *misprint*.
///
/// People read these words. They also name members of JSON, beside those that every run has: a word such as `sector`,
/// which would stand there twice, ends the program.
public struct RunWords: Hashable, Sendable {
  public struct Noun: Hashable, Sendable {
    public let one: String
    public let many: String

    /// Members of results, events and reports.
    private static let taken: Set = [
      "attempt", "attempts", "error", "event", "failed", "failures", "name", "pass", "passes",
      "reason", "result", "run", "seconds", "sector", "sectors", "slots", "system", "systems",
      "task", "tasks", "time",
    ]

    public init(_ one: String, _ many: String) {
      precondition(
        (one + many).utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) },
        "\(one) and \(many) are to be names in JSON, of small letters alone")
      precondition(
        Self.taken.isDisjoint(with: [one, many]), "every run has \(one) or \(many) in its JSON")
      (self.one, self.many) = (one, many)
    }
  }

  /// A part of a growing job.
  public let part: Noun
  /// A point on the picture of a run.
  public let point: Noun

  public init(part: Noun = Noun("part", "parts"), point: Noun = Noun("point", "points")) {
    (self.part, self.point) = (part, point)
  }
}
