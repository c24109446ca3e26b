import Foundation
import SkyFITS
import SkyNetCore
import SkyNetJournal

extension RunSetup {
  /// What `skynet replay` needs of a job, and what a later process does.
  ///
  /// - Parameter opened: the files that the outputs depend on.
  /// - Throws: `EncodingError` of the settings.
  init<J: Job>(of job: J, _ opened: [OpenedFile]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.init(
      name: job.name, passes: job.passes.map(\.name), kind: J.Work.kind,
      settings: String(decoding: try encoder.encode(job.settings), as: UTF8.self),
      workload: try ImageRecord(of: job)?.recorded(by: encoder))
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
  var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}
