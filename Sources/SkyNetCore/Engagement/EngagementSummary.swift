// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// What an engagement tells its peers of itself with each heartbeat, and what nodes tell those who ask.
public struct EngagementSummary: Hashable, Sendable, Codable {
  /// The most summaries of one process, and the most bytes of each of their texts.
  package static let limit = 64
  package static let textLimit = 128

  public let run: RunID
  /// What is scanned, such as a file's name.
  public let name: String
  /// The name of the program that engages.
  public package(set) var client: String
  /// The number of sectors, of those with a result, and of those that were given up.
  public let sectors: Int
  public let completed: Int
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
    name = try container.decodeText(forKey: .name)
    client = try container.decodeText(forKey: .client)
    sectors = try container.decodeNumber(forKey: .sectors)
    completed = try container.decodeNumber(forKey: .completed)
    failed = try container.decodeNumber(forKey: .failed)
    rate = try container.decode(Double.self, forKey: .rate)
    secondsLeft = try container.decodeIfPresent(Double.self, forKey: .secondsLeft)
    pass = try container.decodeTextIfPresent(forKey: .pass)
    parts = try container.decodeIfPresent(Parts.self, forKey: .parts)
    guard (0...1e12).contains(rate), secondsLeft.map({ (0...1e12).contains($0) }) ?? true else {
      throw DecodingError.dataCorruptedError(
        forKey: .rate, in: container, debugDescription: "a rate or time that cannot be")
    }
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

    package init(total: Int, done: Int, failed: Int) {
      self.total = total
      self.done = done
      self.failed = failed
    }

    package init(_ progress: PartProgress) {
      self.init(
        total: progress.total, done: progress.ended - progress.failed, failed: progress.failed)
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      total = try container.decodeNumber(forKey: .total)
      done = try container.decodeNumber(forKey: .done)
      failed = try container.decodeNumber(forKey: .failed)
    }

    /// Those that are still to be done.
    package var left: Int { max(0, total - done - failed) }
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeText(forKey key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard PeerName.isShortLine(text, atMost: 128) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "a text of \(text.utf8.count) bytes")
    }
    return text
  }

  fileprivate func decodeTextIfPresent(forKey key: Key) throws -> String? {
    contains(key) ? try decodeText(forKey: key) : nil
  }

  fileprivate func decodeNumber(forKey key: Key) throws -> Int {
    let number = try decode(Int.self, forKey: key)
    guard (0...1 << 40).contains(number) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "a count of \(number)")
    }
    return number
  }
}
