import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyProcess
import SkyPrograms

/// What the runs of a program leave: files, and a table.
struct ProgramOutputs: Sendable {
  let run: ProgramExchange
  /// The names of files, if outputs become files.
  let pattern: String?
  let words: WordFiles
  let table: ProgramTable?

  var observers: [any RunObserver] {
    [FailedPrograms(remarks: run.remarks)] + (table.map { [$0] } ?? [])
  }

  /// Runs the job, writes the table meanwhile, and brings files to disk when it has ended, in whatever way.
  ///
  /// - Throws: what the engagement throws; an error with the reason if the table could not be written.
  func complete(_ engagement: JobEngagement<some Job>) async throws -> RunOutcome {
    if let journal = engagement.journal {
      words.tellOfChanges(since: try await journal.pastSetups(), on: .standardError)
    }
    if let table, let journal = engagement.journal, journal.progress.isResumed {
      table.began(try await journal.beginnings())
    }
    let result: Result<Tally, any Error>
    do {
      result = .success(
        try await accompanied(by: { [table] in await table?.run() }) {
          try await engagement.run().tally
        })
    } catch {
      result = .failure(error)
    }
    run.end()
    run.files?.sync()
    let tally: Tally
    do {
      tally = try result.get()
    } catch {
      try? table?.finish()
      throw error
    }
    try table?.finish()
    return RunOutcome(tally: tally, written: written)
  }

  private var written: [String] {
    guard let pattern, let files = run.files else { return [] }
    return ["\(files.written) output\(files.written == 1 ? "" : "s") in \(pattern)"]
  }
}

/// A program for each number.
struct NumberRun: WorkloadRun {
  let job: ProgramJob
  let outputs: ProgramOutputs

  var observers: [any RunObserver] { outputs.observers }

  func complete(_ engagement: JobEngagement<ProgramJob>) async throws -> RunOutcome {
    try await outputs.complete(engagement)
  }
}

/// A program for each input.
struct InputRun: WorkloadRun {
  let job: InputJob
  let supply: InputSupply
  let feed: InputFeed
  let outputs: ProgramOutputs

  var observers: [any RunObserver] { outputs.observers }

  func complete(_ engagement: JobEngagement<InputJob>) async throws -> RunOutcome {
    if let journal = engagement.journal {
      let parts = try await journal.parts()
      let past = PastInputs(parts)
      feed.goOn(after: past)
      supply.begin(after: parts, of: past) { record in
        switch record {
        case .part(let part): journal.record(.part(part))
        case .dropped(let part): journal.record(.droppedPart(part.number))
        }
      }
    }
    return try await outputs.complete(engagement)
  }
}

/// Finds, in the reasons of failures, that a program left processes running. Of one that succeeds, its output tells.
private struct FailedPrograms: RunObserver {
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
