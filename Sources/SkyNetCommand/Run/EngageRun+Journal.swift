import Logging
import SkyNetCore
import SkyNetJournal

extension EngageRun {
  /// Runs with the journal open that the options name, if they name one.
  func withJournal(
    of work: some WorkloadRun, _ inputs: [RunInput],
    _ run: (SQLiteJournal?) async throws -> Void
  ) async throws {
    guard let file = options.journal else { return try await run(nil) }
    let journal = try await open(file, for: work, inputs)
    do {
      try await run(journal)
    } catch {
      await close(journal, inputs)
      throw error
    }
    await close(journal, inputs)
  }

  private func open(
    _ file: String, for work: some WorkloadRun, _ inputs: [RunInput]
  ) async throws -> SQLiteJournal {
    let job = work.job
    let journal = try await SQLiteJournal.open(
      file, for: try await job.identity(),
      sectors: job is any GrowableJob ? nil : job.sectorCount,
      retryFailed: options.recording.retryFailed, isResizable: job is any ResizableJob,
      setup: try RunSetup(of: work, inputs, workload: workload.name),
      isReliable: { $0.allSatisfy(\.isUnchanged) })
    if journal.progress.isForgotten {
      console.line(
        "the results in \(file) are forgotten: a file that they depend on was changed while they were made, or "
          + "since, and they may be of two versions of it",
        level: .warning)
    }
    if journal.progress.isResumed, !options.isQuiet {
      console.line(ResumeLine.text(journal.progress, in: file))
    }
    return journal
  }

  /// - Parameter inputs: the files that all results in the journal depend on. If one of them has changed, the next
  ///   process finds that this one did not verify them.
  private func close(_ journal: SQLiteJournal, _ inputs: [RunInput]) async {
    // Without a word, as it may cost another scan, and no result.
    if !inputs.isEmpty, (try? inputs.checkUnchanged()) != nil { try? await journal.verify() }
    await journal.close()
  }
}
