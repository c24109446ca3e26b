/// The facts that determine a job's results, by name: for people, and to compare jobs.
///
/// Two jobs with equal facts give the same results, so one need not repeat what the other has
/// scanned. Speed, place and the systems that scan do not belong here.
public struct JobIdentity: Hashable, Sendable, Codable {
  public struct Fact: Hashable, Sendable, Codable {
    /// The name for people, such as `sector size`.
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
