import Foundation
import SkyFITS
import SkyNetCore
import SkyNetJournal

/// A job that cannot be made again from its settings alone.
protocol RecordingJob: Job {
  associatedtype Record: Encodable

  /// What the workload needs beside the settings to make the job again.
  var record: Record { get }
}

extension RunSetup {
  /// What `skynet replay` needs of a job, and what a later process does.
  ///
  /// - Parameters:
  ///   - workload: the name of the job's workload.
  ///   - opened: the files that the outputs depend on.
  /// - Throws: `EncodingError` of the settings or the record.
  init<J: Job>(of job: J, workload: String, _ opened: [OpenedFile]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func json(_ value: some Encodable) throws -> String {
      String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    func record(of job: some RecordingJob) throws -> String { try json(job.record) }
    self.init(
      name: job.name, passes: job.passes.map(\.name), kind: J.Work.kind,
      settings: try json(job.settings),
      workload: Workload(
        name: workload, record: try (job as? any RecordingJob).map { try record(of: $0) }))
    sectors = (job as? any PartialJob)?.chosenSectors
    if !opened.isEmpty {
      inputs = opened.map {
        Input(path: URL(fileURLWithPath: $0.path).path, state: $0.state.text)
      }
    }
  }
}

extension RunSetup.Input {
  /// Whether the file is as it was.
  var isUnchanged: Bool { FileState(path: path)?.text == state }
}

extension FileState {
  fileprivate var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}
