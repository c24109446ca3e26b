// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import Foundation
public import SkyNetCore

/// The numbers of scans at a system, by client: a node's answer to ``Cluster/statuses(of:within:)``.
public struct SystemStatus: Hashable, Sendable {
  /// How many scans the system can run at a time.
  public let slots: Int
  /// How many scans run, by the client's name. Clients of the same name count as one.
  public let running: [String: Int]
  /// How many tasks wait for a slot, by the client's name.
  public let waiting: [String: Int]
  /// How many scans have ended, with or without success, by the client's name. If there are many names, only
  /// the latest ones are kept, and all others count as `others`.
  public let done: [String: Int]
  /// How many of the scans that ended threw an error. Cancelled scans do not count.
  public let failed: Int
  /// How many of the machine's processes, those of SkyNet or others, ran or were ready to run, on average over
  /// the last minute; `nil` where the machine does not report its load.
  public let load: Double?
  /// The scans that have run for longest, at most 64; none if the system is of a version that does not tell.
  public let scans: [RunningScan]
  /// The engagements that the system hears of by their heartbeats; none if it is of a version that does not
  /// tell.
  public let engagements: [EngagementSummary]
  /// Whether the system takes no new tasks, as a client asked, or as it is about to end. A system of a version
  /// that does not tell counts as one that takes them.
  public let isDraining: Bool
  /// The name of the client that asked the system to drain; `nil` if none has.
  public let drainedBy: String?
  /// What the system keeps of its tasks' data for later tasks; `nil` if it keeps nothing, or is of a version
  /// that does not tell.
  package let cache: CacheFigures?

  /// The most scans and engagements of one status.
  private static let (scanLimit, engagementLimit) = (64, 1024)

  /// A scan that runs.
  public struct RunningScan: Hashable, Sendable, Codable {
    public let sector: Int
    public let pass: Int
    /// The name of the client.
    public let client: String
    /// The run of the client's engagement; `nil` if the client does not tell.
    public let run: RunID?
    /// How long the scan has run, in seconds.
    public let seconds: Double
  }

  init(
    _ serving: ServingStatus, load: Double?, engagements: [EngagementSummary],
    cache: CacheFigures? = nil
  ) {
    self.cache = cache
    scans = serving.running.prefix(Self.scanLimit).map { scan in
      RunningScan(
        sector: scan.task.sector, pass: scan.task.pass, client: scan.client, run: scan.run,
        seconds: scan.elapsed.inSeconds)
    }
    self.engagements = Array(engagements.prefix(Self.engagementLimit))
    slots = serving.slots
    running = serving.running.reduce(into: [:]) { $0[$1.client, default: 0] += 1 }
    waiting = serving.waiting
    done = serving.done
    failed = serving.failed
    isDraining = serving.drainReason != nil
    drainedBy = serving.drainReason?.client
    self.load = load
  }

  /// The names of the clients whose tasks run or wait, in order.
  public var clients: [String] { Set(running.keys).union(waiting.keys).sorted() }
}

extension SystemStatus: Codable {
  private enum CodingKeys: String, CodingKey {
    case slots, running, waiting, done, failed, load, scans, engagements, drainedBy, cache
    case isDraining = "draining"
  }

  /// Refuses numbers that no system can have, so that their sums cannot overflow.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    slots = try container.decodeCount(forKey: .slots)
    running = try container.decodeCounts(forKey: .running)
    waiting = try container.decodeCounts(forKey: .waiting)
    done = try container.decodeCounts(forKey: .done)
    failed = try container.decodeCount(forKey: .failed)
    load = try container.decodeIfPresent(Double.self, forKey: .load)
    if let load, !(0...1e6).contains(load) {
      throw container.impossible("a load of \(load)", forKey: .load)
    }
    scans = try container.decodeIfPresent([RunningScan].self, forKey: .scans) ?? []
    engagements =
      try container.decodeIfPresent([EngagementSummary].self, forKey: .engagements) ?? []
    guard scans.count <= Self.scanLimit, scans.allSatisfy(\.isPossible) else {
      throw container.impossible("such scans", forKey: .scans)
    }
    guard engagements.count <= Self.engagementLimit else {
      throw container.impossible("\(engagements.count) engagements", forKey: .engagements)
    }
    drainedBy = try container.decodeIfPresent(String.self, forKey: .drainedBy)
    if let drainedBy, !PeerName.isAllowed(drainedBy) {
      throw container.impossible("a name of \(drainedBy.utf8.count) bytes", forKey: .drainedBy)
    }
    cache = try container.decodeIfPresent(CacheFigures.self, forKey: .cache)
    if let cache, !cache.isPossible { throw container.impossible("such a cache", forKey: .cache) }
    isDraining =
      try container.decodeIfPresent(Bool.self, forKey: .isDraining) ?? false || drainedBy != nil
  }

  /// Leaves out what earlier versions do not know, unless it says something.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(slots, forKey: .slots)
    try container.encode(running, forKey: .running)
    try container.encode(waiting, forKey: .waiting)
    try container.encode(done, forKey: .done)
    try container.encode(failed, forKey: .failed)
    try container.encodeIfPresent(load, forKey: .load)
    try container.encode(scans, forKey: .scans)
    try container.encode(engagements, forKey: .engagements)
    if isDraining { try container.encode(true, forKey: .isDraining) }
    try container.encodeIfPresent(drainedBy, forKey: .drainedBy)
    try container.encodeIfPresent(cache, forKey: .cache)
  }
}

extension CacheFigures {
  fileprivate var isPossible: Bool {
    let most = 1 << 50
    return [bytes, capacity, hits, misses].allSatisfy { (0...most).contains($0) }
      && bytes <= capacity
  }
}

extension SystemStatus.RunningScan {
  fileprivate var isPossible: Bool {
    sector >= 0 && pass >= 0 && client.utf8.count <= PeerName.maximumBytes
      && (0...1e9).contains(seconds)
  }
}

extension KeyedDecodingContainer {
  private static var greatestCount: Int { 1 << 40 }
  private static var greatestNameCount: Int { 1 << 16 }

  fileprivate func decodeCount(forKey key: Key) throws -> Int {
    let count = try decode(Int.self, forKey: key)
    guard (0...Self.greatestCount).contains(count) else {
      throw impossible("a count of \(count)", forKey: key)
    }
    return count
  }

  fileprivate func decodeCounts(forKey key: Key) throws -> [String: Int] {
    let counts = try decode([String: Int].self, forKey: key)
    guard counts.count <= Self.greatestNameCount else {
      throw impossible("\(counts.count) names", forKey: key)
    }
    guard let count = counts.values.first(where: { !(0...Self.greatestCount).contains($0) }) else {
      return counts
    }
    throw impossible("a count of \(count)", forKey: key)
  }

  fileprivate func impossible(_ what: String, forKey key: Key) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: "\(what) cannot be")
  }
}

/// The machine's load.
enum MachineLoad {
  /// The average over the last minute; `nil` where the machine does not report it.
  static var current: Double? {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : nil
  }
}
