import Foundation
import Logging
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyNetJournal

extension [OpenedFile] {
  /// Engages for results that depend on these files.
  ///
  /// - Parameters:
  ///   - engage: runs the job.
  ///   - abandoned: says what is left of a run that was stopped or that failed.
  /// - Throws: what `engage` throws; ``ChangedFile`` if a file has changed, so that no result counts.
  func during<Ended>(
    _ engage: () async throws -> Ended, abandoned: (_ wasStopped: Bool) -> Void
  ) async throws -> Ended {
    let ended: Ended
    do {
      ended = try await engage()
    } catch {
      let wasStopped = error is RunStopped
      abandoned(wasStopped)
      if wasStopped, let changed = first(where: \.hasChanged) {
        Console.standardError.line("\(ChangedFile(path: changed.path))", level: .warning)
      }
      throw error
    }
    try checkUnchanged()
    return ended
  }
}
