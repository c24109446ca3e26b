import Foundation

/// What a command cannot do without, beside the memory that it uses already.
struct MemoryNeed: Hashable {
  /// In bytes, of this process alone.
  var own = 0
  /// In bytes, shared with the process that reads images.
  var shared = 0
  /// How many threads it starts at least.
  var threads = 0

  /// What any command takes beside its threads.
  private static let heap = 4 << 20

  /// To begin: the first threads of Swift's pool, and of the libraries below it. Without them a command
  /// would wait for ever.
  static let toBegin = MemoryNeed(own: heap, threads: 4)

  /// To connect to others: an event loop for each core, and a thread more of the pool; and what a
  /// command needs beside that.
  static func toConnect(own: Int = 0, shared: Int = 0, scanThreads: Int = 0) -> MemoryNeed {
    MemoryNeed(
      own: own + heap, shared: shared,
      threads: scanThreads + ProcessInfo.processInfo.activeProcessorCount + 1)
  }

  /// How much of it counts towards a limit.
  func bytes(by measure: MemoryLimit.Measure, stack: Int) -> Int {
    switch measure {
    case .addresses: own + shared + threads * stack
    case .data: own + threads * stack
    case .pages: own + shared
    }
  }
}

/// There is less memory than a command cannot do without.
struct MemoryShortage: Error, CustomStringConvertible {
  /// What it is needed for, as the beginning of a sentence.
  let purpose: String
  let needed: Int
  let limit: MemoryLimit
  /// What else than the limit may be changed, if anything.
  let remedy: String?

  var description: String {
    "\(purpose) takes at least \(Self.mebibytes(needed)) MiB here, and \(limit.name) is "
      + "\(Self.mebibytes(limit.most)) MiB: raise that"
      + (remedy.map { ", or give \($0)" } ?? "")
  }

  private static func mebibytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }

  /// Checks a need before anything is made of it.
  ///
  /// - Throws: ``MemoryShortage``.
  static func check(
    _ purpose: String, _ need: MemoryNeed, remedy: String? = nil,
    limits: [MemoryLimit] = MemoryLimit.all, stack: Int = MemoryLimit.stack
  ) throws(MemoryShortage) {
    for limit in limits {
      let needed = limit.used + need.bytes(by: limit.measure, stack: stack)
      guard needed <= limit.most else {
        throw MemoryShortage(purpose: purpose, needed: needed, limit: limit, remedy: remedy)
      }
    }
  }
}
