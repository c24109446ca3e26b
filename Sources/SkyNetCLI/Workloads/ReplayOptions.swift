import ArgumentParser
import Foundation
import SkyNetCore
import SkyNetJournal

/// What `skynet replay` takes for a workload, and how it makes the workload's jobs again.
protocol ReplayOptions: ParsableArguments {
  /// The options that stand on the command line, with their dashes.
  var given: [String] { get }
  /// The files that are read, with the options that name them.
  var readFiles: [Check.File] { get }

  /// Makes a recorded job again, as it was before any output.
  ///
  /// - Returns: `nil` if the run is of another workload.
  /// - Throws: ``ReplayError``, or another error with the reason, if the job cannot be made.
  func job(of task: RecordedTask) async throws -> RecordedJob?
}

extension ReplayOptions {
  var given: [String] { [] }
  var readFiles: [Check.File] { [] }
}

/// A job that was made again.
struct RecordedJob {
  let job: any Job
  /// The tasks that the job begins with.
  let firstTasks: [TaskRange]
  /// Throws if a file that the job reads has changed since it was compared with the run's.
  var checkFiles: () throws -> Void = {}
}

extension RecordedJob {
  /// A job that begins with all of its sectors.
  init(_ job: some Job) {
    self.init(job: job, firstTasks: [TaskRange(sectors: 0..<job.sectorCount)])
  }
}

/// A task that is to be run again, and what its journal tells of the run.
struct RecordedTask {
  /// The journal's path.
  let journal: String
  /// The task. Its sector's number is that of the whole run.
  let id: TaskID
  let run: RunID?
  /// The facts that determined the run's results.
  let identity: JobIdentity
  /// The sectors' numbers are less than this.
  let sectors: Int
  /// What the process recorded that did the task.
  let setup: RunSetup
  let story: SectorStory
  /// The part of a growing job that the sector belongs to.
  let part: JobPart?

  /// The name of the run's workload.
  var workload: String? { setup.workload?.name }

  /// The settings of the run's scans.
  ///
  /// - Throws: ``ReplayError``.
  func settings<Settings: Decodable>(as type: Settings.Type) throws -> Settings {
    do {
      return try JSONDecoder().decode(type, from: Data(setup.settings.utf8))
    } catch {
      throw ReplayError.impossibleSettings(journal, "they cannot be read")
    }
  }
}
