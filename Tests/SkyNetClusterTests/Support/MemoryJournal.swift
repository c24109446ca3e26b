import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit

/// A journal in memory, which a test can read and fill, and make wait or fail.
final class MemoryJournal: JournalStore {
  let run: RunID? = nil
  struct Broken: Error, Equatable {}

  let entries = Watched<[JournalEntry]>([])
  let isFinished = Watched(false)
  /// The gate at which commits wait.
  let commits = Gate()
  /// A test sets this to make the journal fail.
  let isBroken = Watched(false)
  private let known: [PastTask<String>]
  private let knownParts: [JobPart]

  /// - Parameters:
  ///   - known: the tasks of earlier processes, ordered by pass and sector.
  ///   - parts: the parts of earlier processes.
  init(_ known: [PastTask<String>] = [], parts: [JobPart] = []) {
    self.known = known
    knownParts = parts
  }

  func parts() async throws -> [JobPart] { knownParts }

  func past<Output: Codable & Sendable>(
    _ type: Output.Type, in sectors: Range<Int>?, after task: TaskID?, limit: Int
  ) async throws -> [PastTask<Output>] {
    let rest = known.filter { past in
      task.map { past.id > $0 } ?? true && sectors?.contains(past.id.sector) ?? true
    }
    // Outputs that nobody looks at have a type of their own.
    return rest.prefix(limit).compactMap { $0 as? PastTask<Output> ?? $0.decoded() }
  }

  func losses() async throws -> Losses { Losses() }

  func record(_ entry: JournalEntry) {
    entries.update { $0.append(entry) }
  }

  var isBehind: Bool { false }

  func commit() async throws { try await commits.pass() }

  func run() async throws {
    try await isBroken.wait { $0 }
    throw Broken()
  }

  func finish() async throws {
    isFinished.update { $0 = true }
  }

  func close() async {}
}

extension PastTask<String> {
  /// The task with its output as another type, by way of JSON.
  fileprivate func decoded<Output: Codable & Sendable>() -> PastTask<Output>? {
    switch end {
    case .open: return PastTask<Output>(id: id, end: .open, story: story)
    case .gaveUp: return PastTask<Output>(id: id, end: .gaveUp, story: story)
    case .accepted(let output, let system, let seconds):
      guard let data = try? JSONEncoder().encode([output]),
        let others = try? JSONDecoder().decode([Output].self, from: data), let other = others.first
      else { return nil }
      return PastTask<Output>(
        id: id, end: .accepted(other, system: system, seconds: seconds), story: story)
    }
  }
}
