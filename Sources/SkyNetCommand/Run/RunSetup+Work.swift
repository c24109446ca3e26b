import Foundation
package import SkyFiles
import SkyNetCore
package import SkyNetJournal

extension RunSetup {
  /// What `skynet replay` needs of a run, and what a later process does.
  ///
  /// - Parameter workload: the name of the run's workload.
  /// - Throws: `EncodingError` of the settings or the record.
  init<Work: WorkloadRun>(of work: Work, workload: String) throws {
    let job = work.job
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func json(_ value: some Encodable) throws -> String {
      String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    self.init(
      name: job.name, passes: job.passes.map(\.name), kind: Work.J.Work.kind,
      settings: try json(job.settings),
      workload: Workload(name: workload, record: try work.record.map { try json($0) }))
    inputs = work.inputs.isEmpty ? nil : work.inputs
  }
}

extension RunSetup.Input {
  package init(_ file: OpenedFile) {
    self.init(path: URL(fileURLWithPath: file.path).path, state: file.state.text)
  }

  /// Whether the file is as it was.
  var isUnchanged: Bool { FileState(path: path)?.text == state }
}

extension FileState {
  fileprivate var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}
