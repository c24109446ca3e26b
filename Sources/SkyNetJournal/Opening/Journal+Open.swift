public import SkyNetCluster
public import SkyNetCore

extension Journal {
  /// Opens a journal in an SQLite file for a job, and makes the file if there is none. Until the journal is
  /// closed no other process can open it.
  ///
  /// - Parameters:
  ///   - path: the journal's file, in an existing directory. SQLite keeps two more files beside it
  ///     while it is open, `-wal` and `-shm`.
  ///   - identity: the job's identity; see `Job.identity()`.
  ///   - sectors: how many sectors the job has; `nil` of a growing job, which records its sectors as parts.
  ///   - retryFailed: whether sectors that failed in earlier runs are tried again.
  /// - Throws: ``JournalError``; then the file is unchanged.
  public static func open(
    _ path: String, for identity: JobIdentity, sectors: Int?, retryFailed: Bool = false
  ) async throws -> Journal {
    Journal(
      try await SQLiteJournal.open(
        path, for: identity, sectors: sectors, retryFailed: retryFailed))
  }
}
