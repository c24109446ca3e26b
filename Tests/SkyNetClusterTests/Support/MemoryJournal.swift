import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit

/// A journal in memory, which a test can read and fill, and make wait or fail.
final class MemoryJournal: JournalStore {
  let run = RunID()
  struct Broken: Error, Equatable {}

  let entries = Watched<[JournalEntry]>([])
  let isFinished = Watched(false)
  /// The gate at which commits wait.
  let commits = Gate()
  /// A test sets this to make the journal fail.
  let isBroken = Watched(false)
  private let known: [PastTask]
  private let knownParts: [JobPart]
  /// The tasks of earlier processes whose outputs were taken, in that order, if the job has added sectors.
  private let knownOrder: [TaskID]

  /// - Parameters:
  ///   - known: the tasks of earlier processes, ordered by pass and sector.
  ///   - parts: the parts of earlier processes.
  ///   - order: see ``order()``.
  init(_ known: [PastTask] = [], parts: [JobPart] = [], order: [TaskID] = []) {
    self.known = known
    knownParts = parts
    knownOrder = order
  }

  func parts() async throws -> [JobPart] { knownParts }

  func past(
    _ type: any (Codable & Sendable).Type, in sectors: Range<Int>?, after task: TaskID?, limit: Int
  ) async throws -> [PastTask] {
    let rest = known.filter { past in
      task.map { past.id > $0 } ?? true && sectors?.contains(past.id.sector) ?? true
    }
    // Outputs that nobody looks at have a type of their own.
    return rest.prefix(limit).compactMap { type == String.self ? $0 : $0.decoded(as: type) }
  }

  func order() async throws -> [TaskID] { knownOrder }

  func past(
    _ type: any (Codable & Sendable).Type, _ tasks: [TaskID]
  ) async throws -> [PastTask] {
    let all = try await past(type, in: nil, after: nil, limit: .max)
    return tasks.compactMap { id in all.first { $0.id == id } }
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

extension PastTask {
  /// The task with its output as another type, by way of JSON.
  fileprivate func decoded<Other: Codable & Sendable>(as type: Other.Type) -> PastTask? {
    guard case .accepted(let output, let system, let seconds) = end else { return self }
    guard let text = output as? String, let data = try? JSONEncoder().encode([text]),
      let others = try? JSONDecoder().decode([Other].self, from: data), let other = others.first
    else { return nil }
    return PastTask(
      id: id, end: .accepted(other, system: system, seconds: seconds), story: story)
  }
}

extension MemoryJournal {
  /// The journal that a later process finds.
  func reopened() async throws -> MemoryJournal {
    var parts = Dictionary(uniqueKeysWithValues: try await self.parts().map { ($0.number, $0) })
    var tasks: [TaskID: PastTask] = [:]
    var order = knownOrder
    var hasGrown = !knownOrder.isEmpty
    for task in try await past(String.self, in: nil, after: nil, limit: .max) {
      tasks[task.id] = task
    }
    for entry in entries.value {
      switch entry {
      case .began(let attempt, _):
        var story = tasks[attempt.task]?.story ?? TaskStory()
        story.began()
        tasks[attempt.task] = PastTask(id: attempt.task, end: .open, story: story)
      case .ended(let attempt, let outcome):
        var story = tasks[attempt.task]?.story ?? TaskStory()
        story.ended(outcome, on: attempt.slot.system, named: attempt.slot.name)
        tasks[attempt.task] = PastTask(id: attempt.task, end: .open, story: story)
      case .accepted(let attempt, let output, _, let seconds, _):
        order.append(attempt.task)
        tasks[attempt.task] = PastTask(
          id: attempt.task,
          end: .accepted(
            output as? String ?? "", system: attempt.slot.name, seconds: seconds),
          story: tasks[attempt.task]?.story ?? TaskStory())
      case .gaveUp(let task, let story):
        tasks[task] = PastTask(id: task, end: .gaveUp, story: story)
      case .droppedOutput(let task): tasks[task] = nil
      case .extended: hasGrown = true
      case .part(let part): parts[part.number] = part
      case .droppedPart(let number):
        guard let part = parts.removeValue(forKey: number) else { continue }
        tasks = tasks.filter { !part.sectors.contains($0.key.sector) }
      case .forgave, .changed: continue
      }
    }
    return MemoryJournal(
      tasks.values.sorted { $0.id < $1.id }, parts: parts.values.sorted { $0.number < $1.number },
      order: hasGrown ? order : [])
  }

  /// The tasks that have more than one end in this process's entries and in what it found.
  func endedTwice() async throws -> [TaskID] {
    var ended = Set(
      try await past(String.self, in: nil, after: nil, limit: .max).filter {
        if case .open = $0.end { false } else { true }
      }.map(\.id))
    return entries.value.compactMap { entry in
      let task: TaskID
      switch entry {
      case .accepted(let attempt, _, _, _, _): task = attempt.task
      case .gaveUp(let id, _): task = id
      default: return nil
      }
      return ended.insert(task).inserted ? nil : task
    }
  }

  /// The parts that this process has recorded, in order.
  var recordedParts: [Int] {
    entries.value.compactMap { if case .part(let part) = $0 { part.number } else { nil } }
  }
}
