/// What a run's parts are called, and the points that its picture shows. The workload says it: a scan of books would
/// say *chapter* and *misprint*.
///
/// People read these words. They also name members of JSON, beside those that every run has: a word such as `sector`,
/// which would stand there twice, ends the program.
public struct RunWords: Hashable, Sendable {
  /// A noun in both of its numbers.
  public struct Noun: Hashable, Sendable {
    /// The singular, such as `chapter`.
    public let one: String
    /// The plural, such as `chapters`.
    public let many: String

    /// Members of results, events and reports.
    private static let taken: Set = [
      "attempt", "attempts", "error", "event", "failed", "failures", "name", "pass", "passes",
      "reason", "result", "run", "seconds", "sector", "sectors", "slots", "system", "systems",
      "task", "tasks", "time",
    ]

    /// Makes a noun of its singular and its plural. The program ends if they are not small letters from a to z alone,
    /// or if every run's JSON has a member of that name.
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

  /// Makes the words of a workload, by default *part* and *point*.
  public init(part: Noun = Noun("part", "parts"), point: Noun = Noun("point", "points")) {
    (self.part, self.point) = (part, point)
  }
}
