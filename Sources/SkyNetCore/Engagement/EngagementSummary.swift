/// What an engagement tells its peers of itself with each heartbeat, and what nodes tell those who ask.
public struct EngagementSummary: Hashable, Sendable, Codable {
  /// The most summaries of one process, and the most bytes of each of their texts.
  package static let limit = 64
  package static let textLimit = 128

  /// The run that the engagement belongs to.
  public let run: RunID
  /// What is scanned, such as a file's name.
  public let name: String
  /// The name of the program that engages.
  public package(set) var client: String
  /// The number of sectors.
  public let sectors: Int
  /// The number of sectors with a result.
  public let completed: Int
  /// The number of sectors that were given up.
  public let failed: Int
  /// How many sectors have ended per second lately.
  public let rate: Double
  /// How long the rest will take, in seconds; `nil` if nothing has ended lately that would tell.
  public let secondsLeft: Double?
  /// The present pass, such as `pass 2 of 3, detection`; `nil` if there is only one.
  public let pass: String?
  /// The counts of a growing job's parts; `nil` if the job does not grow.
  public let parts: Parts?

  package init(
    run: RunID, name: String, client: String, sectors: Int, completed: Int, failed: Int,
    rate: Double, secondsLeft: Double?, pass: String?, parts: Parts? = nil
  ) {
    self.run = run
    self.name = PeerName.fitted(name, to: Self.textLimit)
    self.client = client
    self.sectors = sectors
    self.completed = completed
    self.failed = failed
    self.rate = rate
    self.secondsLeft = secondsLeft
    self.pass = pass
    self.parts = parts
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    run = try container.decode(RunID.self, forKey: .run)
    name = try container.decodeLine(atMost: Self.textLimit, forKey: .name)
    client = try container.decodeLine(atMost: Self.textLimit, forKey: .client)
    sectors = try container.decodeCount(forKey: .sectors)
    completed = try container.decodeCount(forKey: .completed)
    failed = try container.decodeCount(forKey: .failed)
    rate = try container.decodeNumber(upTo: 1e12, forKey: .rate)
    secondsLeft =
      container.contains(.secondsLeft)
      ? try container.decodeNumber(upTo: 1e12, forKey: .secondsLeft) : nil
    pass =
      container.contains(.pass)
      ? try container.decodeLine(atMost: Self.textLimit, forKey: .pass) : nil
    parts = try container.decodeIfPresent(Parts.self, forKey: .parts)
  }
}

extension EngagementSummary {
  /// How many parts a growing job has, and what has become of them.
  public struct Parts: Hashable, Sendable, Codable {
    /// How many there will be, or are known by now.
    public let total: Int
    /// Those of which every sector has its result.
    public let done: Int
    /// Those that have ended and of which a sector was given up.
    public let failed: Int
    /// What they are called, as many, such as `inputs`.
    public let noun: String

    /// The most bytes of a noun.
    private static let nounLimit = 32

    package init(total: Int, done: Int, failed: Int, noun: String) {
      self.total = total
      self.done = done
      self.failed = failed
      self.noun = PeerName.fitted(noun, to: Self.nounLimit)
    }

    package init(_ progress: PartProgress, noun: String) {
      self.init(
        total: progress.total, done: progress.ended - progress.failed, failed: progress.failed,
        noun: noun)
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      total = try container.decodeCount(forKey: .total)
      done = try container.decodeCount(forKey: .done)
      failed = try container.decodeCount(forKey: .failed)
      noun = try container.decodeLine(atMost: Self.nounLimit, forKey: .noun)
    }

    /// Those that are still to be done.
    package var left: Int { max(0, total - done - failed) }
  }
}
