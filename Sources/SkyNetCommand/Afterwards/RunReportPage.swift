import Foundation
import SkyNetCore
import SkyNetJournal
import SkyNetReport
import SkyNetWeb

/// The page of a run that is made of its journal.
enum RunReportPage {
  /// Reads block, and Swift's cooperative threads must not.
  private static let threads = DispatchQueue(label: "skynet.reports")

  /// - Throws: `JournalError`; the workload's errors.
  static func make(of file: String) async throws -> (report: RunReport, html: Data) {
    var (report, recorded) = try await withCheckedThrowingContinuation { continuation in
      threads.async { continuation.resume(with: Result { try read(file) }) }
    }
    if let recorded {
      report.scene.picture = await recorded.workload.picture(of: recorded.setup, recorded.job)
    }
    return (report, try ReportPage { PageFile.named($0)?.text }.html(with: report.json))
  }

  /// A run whose workload shows more than every report does.
  private struct Recorded {
    let workload: any ShownWorkload.Type
    let setup: RunSetup
    let job: JobIdentity
  }

  private static func read(_ file: String) throws -> (RunReport, Recorded?) {
    var recorded: Recorded?
    let report = try RunReport.read(file, named: file) { history in
      guard let setup = history.setup, let workload = Program.workloads.workload(of: setup) else {
        return RunReport.Scene()
      }
      guard let workload = workload as? any ShownWorkload.Type else {
        return RunReport.Scene(words: workload.words)
      }
      recorded = Recorded(workload: workload, setup: setup, job: history.job)
      return try workload.scene(of: history, setup)
    }
    return (report, recorded)
  }
}
