import Foundation
import SkyNetCore
import SkyNetJournal

extension RunSetup {
  /// What `skynet replay` needs of a run, and what a later process does.
  ///
  /// - Parameter workload: the name of the run's workload.
  /// - Throws: `EncodingError` of the settings or the record.
  init<Work: WorkloadRun>(of work: Work, _ inputs: [RunInput], workload: String) throws {
    let job = work.job
    let encoder = JSONEncoder.ofValues(isSorted: true)
    func json(_ value: some Encodable) throws -> String {
      String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    self.init(
      name: job.name, passes: job.passes.map(\.name), kind: Work.J.Work.kind,
      settings: try json(job.settings),
      workload: Workload(name: workload, record: try work.record.map { try json($0) }))
    self.inputs = inputs.isEmpty ? nil : inputs.map(\.recorded)
  }
}
