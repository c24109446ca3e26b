import SkyNetCore
import SkyNetTestKit
import Synchronization
import Testing

@testable import SkyNetCluster

@Suite("The events of a growing run", .timeLimit(.minutes(20)))
struct GrowingRunEventsTests {
  /// Fails on the sector of this number.
  private struct Counting: Scan {
    static let kind = ScanKind(name: "counting", version: 1)
    static let broken = 3

    func run(_ sector: Int, settings: NoSettings) async throws -> Int {
      if sector == Self.broken { throw Broken() }
      return sector
    }

    struct Broken: Error {}
  }

  /// Three images of two sectors each.
  private struct Night: GrowableJob {
    typealias Work = Counting
    static let part = RunWords.Noun("image", "images")
    static let images = 3
    let settings = NoSettings()
    let sectorCount = 0
    let expectedParts: Int? = images
    private let next = Counter()

    func nextPart() -> JobPart? {
      let number = next.take()
      return number < Self.images
        ? JobPart(number: number, sectors: 2 * number..<2 * number + 2, name: "night/\(number)")
        : nil
    }

    mutating func add(_ part: JobPart) -> AddedPart { .tasks([TaskRange(sectors: part.sectors)]) }

    mutating func ended(_ part: JobPart) {}

    func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)? { nil }

    func sector(for task: TaskID) -> Int { task.sector }

    mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
      ReceivedResult(result: output)
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func take() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  @Test("Events about a task name its part, and the summary for other processes counts the parts")
  func parts() async throws {
    let updates = Mutex<[EngagementUpdate]>([])
    let summaries = Mutex<[EngagementSummary]>([])
    try await Cluster.with(
      ClusterSettings(name: "ada", localSlots: 1), scans: [Counting()], discoveries: [],
      transport: InMemoryNetwork().transport(host: "ada")
    ) { cluster in
      _ = try await cluster.coordinator().run(Night()) { update in
        updates.withLock { $0.append(update) }
        let now = await cluster.engagementSummaries
        summaries.withLock { $0 += now }
      }
    }
    let all = updates.withLock { $0 }
    let tasks = all.filter { $0.event.task != nil }
    #expect(tasks.allSatisfy { $0.part == $0.event.task.map { "night/\($0.sector / 2)" } })
    #expect(
      Set(tasks.map(\.event.jsonName)) == [
        "handed_out", "attempt_ended", "retried", "completed", "failed",
      ])
    #expect(all.filter { $0.event.task == nil }.allSatisfy { $0.part == nil })
    let first = try #require(summaries.withLock { $0.first })
    #expect(first.parts?.done == 0 && first.pass == nil, "nothing was handed out yet")
    let last = try #require(summaries.withLock { $0.last })
    #expect(last.parts == .init(total: 3, done: 2, failed: 1, noun: "images"))
    #expect(last.sectors == 6 && last.completed == 5 && last.failed == 1 && last.secondsLeft == 0)
    #expect(summaries.withLock { $0 }.contains { $0.pass == "now night/1" })
  }
}
