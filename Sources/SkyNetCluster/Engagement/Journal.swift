/// An engagement's record of what was handed out, what ended, and every output, so that a later process
/// can go on where an earlier one ended.
///
/// `Journal.open(_:for:sectors:retryFailed:)` of SkyNetJournal keeps the record in an SQLite file:
///
/// ```swift
/// let journal = try await Journal.open("run.sqlite", for: job.identity(), sectors: job.sectorCount)
/// let (finished, tally) = try await cluster.coordinator().run(job, journal: journal)
/// await journal.close()
/// ```
///
/// One engagement at a time uses a journal. An engagement whose journal cannot be written ends with the
/// journal's error, since no later process could rely on what it holds.
public struct Journal: Sendable {
  package let store: any JournalStore

  package init(_ store: any JournalStore) { self.store = store }

  /// Closes the journal, so that other processes can open it. Call this after the engagement.
  public func close() async { await store.close() }
}
