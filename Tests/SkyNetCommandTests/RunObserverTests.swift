import SkyNetCluster
import SkyNetCore
import Synchronization
import Testing

@testable import SkyNetCommand
@testable import SkySimulation

@Suite("What takes part in a run")
struct RunObserverTests {
  private struct Broken: Error {}

  /// Notes when it begins and ends.
  private struct Noting: RunSurrounding {
    let name: String
    let notes: Notes

    func during<Ended: Sendable>(
      _ run: nonisolated(nonsending) () async throws -> Ended
    ) async throws -> Ended {
      notes.add("\(name) begins")
      defer { notes.add("\(name) ends") }
      return try await run()
    }
  }

  private final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test("The first of a list surrounds the others, also around a run that fails")
  func order() async throws {
    let notes = Notes()
    let list: [any RunSurrounding] = ["a", "b"].map { Noting(name: $0, notes: notes) }
    let result = try await list.during {
      notes.add("the run")
      return 7
    }
    #expect(result == 7)
    #expect(notes.all == ["a begins", "b begins", "the run", "b ends", "a ends"])
    await #expect(throws: Broken.self) { try await list.during { throw Broken() } }
    #expect(notes.all.suffix(4) == ["a begins", "b begins", "b ends", "a ends"])
  }

  @Test("What accompanies a run is cancelled and awaited at its end")
  func accompanying() async throws {
    let notes = Notes()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (never, neverEnding) = AsyncStream.makeStream(of: Void.self)
    try await accompanied(
      by: {
        begin.finish()
        for await _ in never {}
        notes.add("cancelled: \(Task.isCancelled)")
      },
      {
        for await _ in begun {}
        notes.add("the run")
      })
    neverEnding.finish()
    #expect(notes.all == ["the run", "cancelled: true"])
  }

  @Test("A run that is nothing but its job says what it has found, if every sector has its result")
  func jobRun() async throws {
    let job = SimulatedJob(
      sectorCount: 3, settings: SimulatedScan.Settings(seconds: 0, failingEvery: 0))
    for (total, summary) in [(0, ["3 sectors"]), (3, [])] {
      let engagement = JobEngagement(journal: nil, shutdown: ShutdownTrigger()) {
        (job, Tally(total: total))
      }
      let run = JobRun(job) { ["\($0.sectorCount) sectors"] }
      let outcome = try await run.complete(engagement)
      #expect(outcome.summary == summary && outcome.written.isEmpty && !outcome.hasFailed)
    }
  }
}
