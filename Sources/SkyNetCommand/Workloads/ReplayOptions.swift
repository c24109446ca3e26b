public import ArgumentParser
import Foundation
public import SkyNetCore
package import SkyNetJournal

/// What `skynet replay` takes for a workload, and how it makes the workload's jobs again.
public protocol ReplayOptions: ParsableArguments {
  /// The options that stand on the command line, with their dashes.
  var given: [String] { get }
  /// The files that are read, with the options that name them.
  var readFiles: [FileOption] { get }

  /// Makes a recorded job again, as it was before any output.
  ///
  /// - Returns: `nil` if the run is of another workload.
  /// - Throws: an error with the reason if the job cannot be made.
  func job(of task: RecordedTask) async throws -> RecordedJob?
}

extension ReplayOptions {
  public var readFiles: [FileOption] { [] }
}

/// A job that was made again.
public struct RecordedJob {
  let job: any Job
  let firstTasks: [TaskRange]
  let checkFiles: () throws -> Void

  /// - Parameters:
  ///   - job: the job, as it was before any output.
  ///   - firstTasks: the tasks that the job begins with. By default these are all of its sectors.
  ///   - checkFiles: throws if a file that the job reads has changed since it was compared with the run's.
  public init(
    _ job: some Job, firstTasks: [TaskRange]? = nil, checkFiles: @escaping () throws -> Void = {}
  ) {
    self.job = job
    self.firstTasks = firstTasks ?? [TaskRange(sectors: 0..<job.sectorCount)]
    self.checkFiles = checkFiles
  }
}

/// A task that is to be run again, and what its journal tells of the run.
public struct RecordedTask {
  /// The journal's path.
  public let journal: String
  /// The task. Its sector's number is that of the whole run.
  public let id: TaskID
  /// The run that the task belongs to.
  public let run: RunID
  /// The facts that determined the run's results.
  public let identity: JobIdentity
  /// The sectors' numbers are less than this.
  public let sectors: Int
  /// What the process recorded that did the task.
  package let setup: RunSetup
  package let story: SectorStory
  /// The part of a growing job that the sector belongs to.
  package let part: JobPart?

  /// The name of the run's workload.
  public var workload: String? { setup.workload?.name }

  /// The settings of the run's scans.
  ///
  /// - Throws: an error with the reason if they are of another type.
  public func settings<Settings: Decodable>(as type: Settings.Type) throws -> Settings {
    try decoded(setup.settings, as: type)
  }

  /// What the workload recorded beside the settings, as ``WorkloadRun/record`` was; `nil` if it was nothing.
  ///
  /// - Throws: an error with the reason if it is of another type.
  public func record<Record: Decodable>(as type: Record.Type) throws -> Record? {
    try setup.workload?.record.map { try decoded($0, as: type) }
  }

  private func decoded<Value: Decodable>(_ json: String, as type: Value.Type) throws -> Value {
    do {
      return try JSONDecoder.ofValues().decode(type, from: Data(json.utf8))
    } catch {
      throw ReplayError.impossibleSettings(journal, "they cannot be read")
    }
  }
}

/// A workload that has no options for `replay` has its jobs made again by ``Workload/job(of:)``.
public struct PlainReplay<W: Workload>: ReplayOptions {
  /// Makes the options, of which there are none.
  public init() {}

  public var given: [String] { [] }

  public func job(of task: RecordedTask) async throws -> RecordedJob? {
    guard task.workload == W.name else { return nil }
    guard let job = try W.job(of: task) else {
      throw ReplayError.notReplayable(task.journal, W.name)
    }
    let differences = task.identity.differences(from: try await job.identity())
    guard differences.isEmpty else { throw ReplayError.otherJob(task.journal, differences) }
    return RecordedJob(job)
  }
}

extension JobIdentity {
  /// The names of the facts that another job has otherwise.
  package func differences(from other: JobIdentity) -> [String] {
    let names = (facts + other.facts).map(\.name)
    func value(_ name: String, in facts: [Fact]) -> String? {
      facts.first { $0.name == name }?.value
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
      .filter { value($0, in: facts) != value($0, in: other.facts) }
      .map { String($0.prefix(60)) }
  }
}
