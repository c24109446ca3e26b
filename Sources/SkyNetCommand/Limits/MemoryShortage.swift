import Foundation

/// The memory that a command needs in addition to what it uses already.
package struct MemoryNeed: Hashable {
  /// Bytes of this process alone.
  package var own = 0
  /// Bytes that it shares with processes of its own.
  package var shared = 0
  /// How many threads the command starts at least.
  package var threads = 0

  /// The bytes that any command needs in addition to its threads.
  private static let heap = 4 << 20

  package static let toBegin = MemoryNeed(own: heap, threads: ThreadNeed.toBegin)

  /// To connect to peers, in addition to the command's own need.
  package static func toConnect(own: Int = 0, shared: Int = 0, scanThreads: Int = 0) -> MemoryNeed {
    toConnect(own: own, shared: shared, scanThreads: scanThreads, beside: ThreadNeed.there)
  }

  /// - Parameter there: how many threads the process has already.
  static func toConnect(
    own: Int = 0, shared: Int = 0, scanThreads: Int, beside there: Int
  ) -> MemoryNeed {
    MemoryNeed(
      own: own + heap, shared: shared,
      threads: ThreadNeed.toConnect(scans: scanThreads, there: there))
  }

  /// How many bytes of the need count towards a limit with this measure.
  package func bytes(by measure: MemoryLimit.Measure, stack: Int) -> Int {
    switch measure {
    case .addresses: own + shared + threads * stack
    case .data: own + threads * stack
    case .pages: own + shared
    }
  }
}

/// A memory limit is lower than what the command needs.
package struct MemoryShortage: Error, CustomStringConvertible {
  /// The purpose of the memory, as the beginning of the message.
  package let purpose: String
  package let needed: Int
  package let limit: MemoryLimit
  /// Options that would lower the need, if any.
  package let remedy: String?

  package var description: String {
    "\(purpose) takes at least \(Self.mebibytes(needed)) MiB here, and \(limit.name) is "
      + "\(Self.mebibytes(limit.limit)) MiB: raise that"
      + (remedy.map { ", or give \($0)" } ?? "")
  }

  private static func mebibytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }

  /// Checks a need against all limits, before anything is allocated.
  ///
  /// - Throws: ``MemoryShortage``.
  package static func check(
    _ purpose: String, _ need: MemoryNeed, remedy: String? = nil,
    limits: [MemoryLimit] = MemoryLimit.all, stack: Int = MemoryLimit.stack
  ) throws(MemoryShortage) {
    for limit in limits {
      let needed = limit.used + need.bytes(by: limit.measure, stack: stack)
      guard needed <= limit.limit else {
        throw MemoryShortage(purpose: purpose, needed: needed, limit: limit, remedy: remedy)
      }
    }
  }

  // MARK: The slots of a node

  /// Checks that there is memory for this many slots.
  ///
  /// - Throws: ``MemoryShortage``, which names fewer slots as the remedy only if there is memory for those.
  static func checkSlots(
    _ slots: Int, limits: [MemoryLimit] = MemoryLimit.all, stack: Int = MemoryLimit.stack,
    beside there: Int = ThreadNeed.there
  ) throws(MemoryShortage) {
    let fewer =
      slots > 1
      ? (try? fittingSlots(
        upTo: slots - 1, limits: limits, stack: stack, beside: there))?.count : nil
    try check(
      "to scan in \(slots) slot\(slots == 1 ? "" : "s")",
      .toConnect(scanThreads: slots, beside: there),
      remedy: fewer.map { "at most --slots \($0)" }, limits: limits, stack: stack)
  }

  /// The largest number of slots, at most `most`, for which there is memory, with the limit that set it; `nil` if
  /// none did.
  ///
  /// - Throws: ``MemoryShortage`` if there is none for a single slot.
  static func fittingSlots(
    upTo most: Int, limits: [MemoryLimit] = MemoryLimit.all, stack: Int = MemoryLimit.stack,
    beside there: Int = ThreadNeed.there
  ) throws(MemoryShortage) -> (count: Int, limit: String?) {
    var (low, high, limit) = (1, most, nil as String?)
    try check(
      "to scan in 1 slot", .toConnect(scanThreads: 1, beside: there), limits: limits, stack: stack)
    while low < high {
      let middle = high - (high - low) / 2
      do throws(MemoryShortage) {
        try check(
          "to scan", .toConnect(scanThreads: middle, beside: there), limits: limits, stack: stack)
        low = middle
      } catch {
        (high, limit) = (middle - 1, error.limit.name)
      }
    }
    return (low, limit)
  }
}
