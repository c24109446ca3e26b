import ArgumentParser
import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal
import Testing

@testable import SkyNetCommand

/// Runs of a made-up workload that has no more than ``Workload/job(of:)`` for `replay`.
@Suite("Running a recorded task of a workload again")
struct RecordedTaskTests {
  private struct Sum: Scan {
    static let kind = ScanKind(name: "sum", version: 1)

    func run(_ sector: Int, settings: Int) -> Int { sector + settings }
  }

  private struct SumJob: Job {
    typealias Work = Sum

    let settings: Int
    var sectorCount = 3

    func settings(for task: TaskID) -> Int { settings * task.sector }
    func settingsGroup(of task: TaskID) -> Int { task.sector }
    func sector(for task: TaskID) -> Int { task.sector }
    func receive(_ output: Int, for task: TaskID) -> ReceivedResult { .init(result: nil) }
  }

  private struct Sums: Workload {
    static let name = "sums"
    static var scans: [any Scan] { [Sum()] }

    func prepare(_ options: RunOptions) -> any WorkloadRun { JobRun(SumJob(settings: 10)) }
    static func job(of task: RecordedTask) throws -> (any Job)? {
      SumJob(settings: try task.settings(as: Int.self))
    }
  }

  /// A workload of the same runs whose later version makes another job of them.
  private struct ChangedSums: Workload {
    static let name = "sums"
    static var scans: [any Scan] { [Sum()] }

    func prepare(_ options: RunOptions) -> any WorkloadRun { JobRun(SumJob(settings: 10)) }
    static func job(of task: RecordedTask) -> (any Job)? { SumJob(settings: 10, sectorCount: 4) }
  }

  /// A workload of the same runs that makes no job of them.
  private struct ForgetfulSums: Workload {
    static let name = "sums"
    static var scans: [any Scan] { [Sum()] }

    func prepare(_ options: RunOptions) -> any WorkloadRun { JobRun(SumJob(settings: 10)) }
  }

  /// Makes task 2 of a run of ``Sums`` again, as this workload would.
  private func replay<W: Workload>(as workload: W.Type) async throws -> Replay {
    let path = NSTemporaryDirectory() + "skynet-recorded-\(UUID().uuidString).sqlite"
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    let work = JobRun(SumJob(settings: 10))
    let journal = try await SQLiteJournal.open(
      path, for: try await work.job.identity(), sectors: work.job.sectorCount,
      setup: try RunSetup(of: work, [], workload: Sums.name))
    await journal.close()
    return try await ReplaySource(
      journal: path, sector: 2, pass: nil, attempt: nil, options: PlainReplay<W>()
    ).replay()
  }

  /// Why such a task cannot be made.
  private func refusal<W: Workload>(as workload: W.Type) async -> String? {
    do {
      _ = try await replay(as: workload)
      return nil
    } catch {
      return error is ReplayError ? "\(error)" : "another error: \(error)"
    }
  }

  @Test("A task gets the settings that its job has for it alone")
  func settings() async throws {
    let replay = try await replay(as: Sums.self)
    let output = try await replay.task.scan(with: ScanRegistry([Sum()]), on: "local")
    #expect(output as? Int == 22)
  }

  @Test("A job that is not the run's is refused, and what differs is named")
  func otherJob() async throws {
    let refusal = try #require(await refusal(as: ChangedSums.self))
    #expect(refusal.contains("is another job (sectors)"), "\(refusal)")
  }

  @Test("A workload that makes no job of its records says so")
  func notReplayable() async throws {
    let refusal = try #require(await refusal(as: ForgetfulSums.self))
    #expect(refusal.contains("runs of the workload sums cannot be run again"), "\(refusal)")
  }
}
