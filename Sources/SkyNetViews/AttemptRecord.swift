import SkyNetCluster
package import SkyNetCore

/// The attempts that are in flight, and the latest of those that have ended.
package struct AttemptRecord: Sendable {
  /// How an attempt ended. The raw values are those of the page (`lanes.js`) and of its events.
  package enum Ending: UInt8, Hashable, Sendable {
    case done, failed, lost, withdrawn

    init(_ ending: EngagementEvent.Ending) {
      switch ending {
      case .failed: self = .failed
      case .lost: self = .lost
      case .withdrawn: self = .withdrawn
      }
    }
  }

  package struct Key: Hashable, Sendable {
    package let task: TaskID
    /// The system's row.
    package let system: Int

    /// Hashes one number instead of three, since each attempt is looked up twice.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(UInt64(truncatingIfNeeded: task.sector << 20 ^ task.pass << 12 ^ system))
    }
  }

  package struct Flight: Hashable, Sendable {
    package let began: Double
    package let attempt: Int
    package let isHedge: Bool
  }

  /// An attempt that has ended.
  package struct Entry: Hashable, Sendable {
    package let key: Key
    package let flight: Flight
    package let ended: Double
    package let ending: Ending
  }

  /// The most ended attempts that are kept.
  package static let limit = 4096

  package private(set) var inFlight: [Key: Flight] = [:]
  private var ring: [Entry] = []
  /// How many attempts have ended in all. The latest ones are in ``ended(after:until:)``.
  package private(set) var endedCount = 0

  mutating func began(_ handout: EngagementEvent.Handout, on system: Int, at time: Double) {
    inFlight[Key(task: handout.task, system: system)] = Flight(
      began: time, attempt: handout.attempt, isHedge: handout.isHedge)
  }

  mutating func ended(_ task: TaskID, on system: Int, _ ending: Ending, at time: Double) {
    let key = Key(task: task, system: system)
    guard let flight = inFlight.removeValue(forKey: key) else { return }
    let entry = Entry(key: key, flight: flight, ended: time, ending: ending)
    if ring.count < Self.limit {
      ring.append(entry)
    } else {
      ring[endedCount % Self.limit] = entry
    }
    endedCount += 1
  }

  /// The attempts that ended after the first `count` and are among the first `end`, as far as they are kept, the
  /// earliest first.
  package func ended(after count: Int = 0, until end: Int = .max) -> [Entry] {
    let (first, end) = (max(count, endedCount - ring.count), min(end, endedCount))
    guard first < end else { return [] }
    return (first..<end).map { ring[$0 % Self.limit] }
  }
}
