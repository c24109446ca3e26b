/// What makes a job's results what they are: facts with names, for people and for comparing.
///
/// Two jobs with equal facts give the same results, so what one has scanned the other need not.
/// How fast, where and by which systems does not belong here.
public struct JobIdentity: Hashable, Sendable, Codable {
  public struct Fact: Hashable, Sendable, Codable {
    /// What people call it: `sector size`.
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public var facts: [Fact]

  public init(_ facts: [Fact]) {
    self.facts = facts
  }
}
