import Foundation
import SkyNetCore

/// What a system is doing, and for which clients, in numbers: what ``ScanSystem/status()`` answers.
public struct SystemStatus: Hashable, Sendable {
  /// How many scans it runs at a time.
  public let slots: Int
  /// How many scans run, by the client's name; clients of one name count as one.
  public let running: [String: Int]
  /// How many tasks wait for a slot, by the client's name.
  public let waiting: [String: Int]
  /// How many scans ended, however they did, by the client's name. Of many names only the latest are
  /// kept, and the others are one, `others`.
  public let done: [String: Int]
  /// How many of these threw; those that were cancelled are not among them.
  public let failed: Int
  /// How many of the machine's processes, SkyNet or not, ran or wanted to run, on average over the last
  /// minute; `nil` where the machine does not say.
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

  /// Refuses what no system can say, so that sums of its numbers are numbers.
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
  private static var mostCounted: Int { 1 << 40 }
  private static var mostNames: Int { 1 << 16 }

  fileprivate func decodeCount(forKey key: Key) throws -> Int {
    let count = try decode(Int.self, forKey: key)
    guard (0...Self.mostCounted).contains(count) else {
      throw impossible("a count of \(count)", forKey: key)
    }
    return count
  }

  fileprivate func decodeCounts(forKey key: Key) throws -> [String: Int] {
    let counts = try decode([String: Int].self, forKey: key)
    guard counts.count <= Self.mostNames else {
      throw impossible("\(counts.count) names", forKey: key)
    }
    guard let count = counts.values.first(where: { !(0...Self.mostCounted).contains($0) }) else {
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
  /// Over the last minute.
  static var current: Double? {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : nil
  }
}
