// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import Foundation
public import SkyNetCore

/// The numbers of scans at a system, by client: a node's answer to ``Cluster/statuses(of:within:)``.
public struct SystemStatus: Hashable, Sendable, Codable {
  /// How many scans the system runs at a time.
  public let slots: Int
  /// How many scans run, by the client's name. Clients of the same name count as one.
  public let running: [String: Int]
  /// How many tasks wait for a slot, by the client's name.
  public let waiting: [String: Int]
  /// How many scans have ended with a result, by the client's name. If there are many names, only the latest ones
  /// are kept, and all others count as `others`.
  public let done: [String: Int]
  /// How many scans threw an error. Their clients try them again, until a sector is given up; a node does not know
  /// which they gave up. Cancelled scans do not count.
  public let retried: Int
  /// How many of the machine's processes, those of SkyNet or others, ran or were ready to run, on average over
  /// the last minute; `nil` where the machine does not report its load.
  public let load: Double?
  /// The scans that have run for longest, at most 64.
  public let scans: [RunningScan]
  /// The engagements that the system hears of by their heartbeats, at most 1024.
  public let engagements: [EngagementSummary]
  /// Whether the system takes no new tasks.
  public let isDraining: Bool
  /// The name of the client that asked the system to drain; `nil` if none has.
  public let drainedBy: String?
  /// What the system keeps of its tasks' data for later tasks; `nil` if it keeps nothing.
  package let cache: CacheFigures?
  /// The number of cores of the system's machine; `nil` of a version that does not tell.
  public let cores: Int?
  /// The memory of the system's machine; `nil` of a version that does not tell, and where the machine does not.
  public let memory: Memory?

  private enum CodingKeys: String, CodingKey {
    case slots, running, waiting, done, load, scans, engagements, isDraining, drainedBy, cache,
      cores, memory
    case retried = "failed"
  }

  /// The most scans and engagements of one status.
  private static let (scanLimit, engagementLimit) = (64, 1024)

  /// A scan that runs at the system.
  public struct RunningScan: Hashable, Sendable, Codable {
    /// The number of the sector that is scanned, from 0.
    public let sector: Int
    /// The number of the pass, from 0.
    public let pass: Int
    /// The name of the client.
    public let client: String
    /// The client's run that the scan belongs to.
    public let run: RunID
    /// How long the scan has run, in seconds.
    public let seconds: Double
  }

  init(
    _ serving: ServingStatus, engagements: [EngagementSummary], cache: CacheFigures? = nil
  ) {
    self.cache = cache
    cores = ProcessInfo.processInfo.activeProcessorCount
    memory = Memory.now
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
    retried = serving.retried
    isDraining = serving.drainReason != nil
    drainedBy = serving.drainReason?.client
    var load = 0.0
    self.load = getloadavg(&load, 1) == 1 ? load : nil
  }

  /// The names of the clients whose tasks run or wait, in order.
  public var clients: [String] { Set(running.keys).union(waiting.keys).sorted() }
}

extension SystemStatus {
  /// Refuses numbers that no system can have, so that their sums cannot overflow.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    slots = try container.decodeCount(forKey: .slots)
    running = try container.decodeCounts(forKey: .running)
    waiting = try container.decodeCounts(forKey: .waiting)
    done = try container.decodeCounts(forKey: .done)
    retried = try container.decodeCount(forKey: .retried)
    load = container.contains(.load) ? try container.decodeNumber(upTo: 1e6, forKey: .load) : nil
    scans = try container.decodeList(atMost: Self.scanLimit, forKey: .scans)
    engagements = try container.decodeList(atMost: Self.engagementLimit, forKey: .engagements)
    isDraining = try container.decode(Bool.self, forKey: .isDraining)
    drainedBy = container.contains(.drainedBy) ? try container.decodeName(forKey: .drainedBy) : nil
    cache = try container.decodeIfPresent(CacheFigures.self, forKey: .cache)
    cores = container.contains(.cores) ? try container.decodeCount(forKey: .cores) : nil
    memory = try container.decodeIfPresent(Memory.self, forKey: .memory)
  }
}

extension SystemStatus.RunningScan {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    sector = try container.decodeCount(forKey: .sector)
    pass = try container.decodeCount(forKey: .pass)
    client = try container.decodeName(forKey: .client)
    run = try container.decode(RunID.self, forKey: .run)
    seconds = try container.decodeSeconds(forKey: .seconds)
  }
}
