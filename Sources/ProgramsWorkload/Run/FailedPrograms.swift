import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import SkyProcess
import SkyPrograms

/// Finds, in the reasons of failures, that a program left processes running. Of one that succeeds, its output tells.
struct FailedPrograms: RunObserver {
  let remarks: RunRemarks

  func hear(_ update: EngagementUpdate) {
    switch update.event {
    case .retried(let task, let failure): look(at: failure, of: task.sector, update)
    case .failed(let failure):
      if let last = failure.failures.last { look(at: last, of: failure.sector, update) }
    default: break
    }
  }

  private func look(at failure: FailedAttempt, of sector: Int, _ update: EngagementUpdate) {
    guard failure.reason.hasSuffix(ProgramEnding.leftNote) else { return }
    remarks.leftProcesses(of: update.part ?? "\(sector)")
  }
}
