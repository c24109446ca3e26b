import Foundation
import SkyNetCore

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

  init(_ serving: ServingStatus, load: Double?) {
    slots = serving.slots
    running = serving.running.reduce(into: [:]) { $0[$1.client, default: 0] += 1 }
    waiting = serving.waiting
    done = serving.done
    failed = serving.failed
    self.load = load
  }

  /// The names of the clients whose tasks run or wait, in order.
  public var clients: [String] { Set(running.keys).union(waiting.keys).sorted() }
}

extension SystemStatus: Codable {
  private enum CodingKeys: CodingKey {
    case slots, running, waiting, done, failed, load
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
