import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal

/// Makes a task of a run again: from the journal, and from what the run's workload reads.
struct ReplaySource<Options: ReplayOptions> {
  let journal: String
  let sector: Int
  let pass: Int?
  let attempt: Int?
  /// What the workloads' options say.
  let options: Options

  /// - Throws: ``ReplayError``; `JournalError`; the workload's errors.
  func replay() async throws -> Replay {
    let task = try recordedTask()
    guard let made = try await options.job(of: task) else {
      throw ReplayError.unknownKind(journal, task.setup.kind)
    }
    return try await replay(task, of: made.job, as: made)
  }

  private func recordedTask() throws -> RecordedTask {
    try RunHistory.read(journal) { history in
      guard sector < history.sectors else {
        throw ReplayError.noSuchSector(journal, sector, of: history.sectors)
      }
      let part = try history.part(ofSector: sector)
      if history.isGrowing, part == nil {
        let words = Program.workloads.words(of: history.setup)
        throw ReplayError.noPartOfSector(journal, sector, part: words.part.one)
      }
      let story = try history.story(ofSector: sector)
      let pass = pass ?? story.pass
      guard let setup = try history.setup(ofProcess: story.process(in: pass)) else {
        throw ReplayError.noSettings(journal)
      }
      return RecordedTask(
        journal: journal, id: TaskID(pass: pass, sector: sector), run: history.run,
        identity: history.job, sectors: history.sectors, setup: setup, story: story, part: part)
    }
  }

  /// - Parameter fresh: the job, before any output. Its sectors are numbered from 0, also those of a part.
  private func replay<J: Job>(
    _ record: RecordedTask, of fresh: J, as made: RecordedJob
  ) async throws -> Replay {
    let task = record.id
    let sectors = record.part?.sectors
    let local = task.within(sectors)
    var job = fresh
    var recorded: String?
    try RunHistory.read(journal) { history in
      let tasks = try feed(&job, made.firstTasks, with: history, before: task.pass, in: sectors)
      guard tasks.contains(where: { $0.pass == task.pass && $0.sectors.contains(local.sector) })
      else {
        throw ReplayError.noSuchTask(
          journal, task, missing: try missing(of: tasks, before: task.pass, in: sectors, history))
      }
      recorded = try history.output(of: task, as: J.Work.Output.self).map {
        try Replay.hash(of: $0)
      }
    }
    let attempt = attempt ?? record.story.attempt(in: task.pass)
    let sector = try await job.sector(for: local)
    try made.checkFiles()
    let names = record.setup.passes
    return Replay(
      task: ScanTask(
        task, of: record.run, for: J.Work.self, settings: job.settings(for: local),
        sector: sector, attempt: ScanAttempt(number: attempt)),
      name: record.part?.name ?? record.setup.name,
      passName: names.indices.contains(task.pass) && names.count > 1 ? names[task.pass] : nil,
      sectorOfPart: record.part == nil ? nil : local.sector,
      story: record.story.lines(ofPass: task.pass), recorded: recorded)
  }

  /// Gives the job the outputs of earlier passes, as a process that continues the run does. Returns the tasks
  /// that there are then.
  private func feed<J: Job>(
    _ job: inout J, _ first: [TaskRange], with history: RunHistory, before pass: Int,
    in sectors: Range<Int>?
  ) throws -> [TaskRange] {
    var tasks = first
    guard !first.contains(where: { $0.pass == pass }) else { return tasks }
    try history.forEachOutput(of: J.Work.Output.self, before: pass, in: sectors) {
      task, output, _ in
      let local = task.within(sectors)
      do {
        try job.check(output, for: local)
      } catch {
        throw ReplayError.impossibleOutput(journal, task.sector, "\(error)")
      }
      tasks += try job.receive(output, for: local).added
    }
    return tasks
  }

  /// How many of these tasks of earlier passes have no output.
  private func missing(
    of tasks: [TaskRange], before pass: Int, in sectors: Range<Int>?, _ history: RunHistory
  ) throws -> Int {
    let earlier = tasks.filter { $0.pass < pass }
    let done = try Set(earlier.map(\.pass)).reduce(0) {
      $0 + (try history.outputCount(ofPass: $1, in: sectors))
    }
    return earlier.reduce(0) { $0 + $1.sectors.count } - done
  }
}

extension TaskID {
  /// The task with its sector's number within a part; the same task if there is no part.
  fileprivate func within(_ sectors: Range<Int>?) -> TaskID {
    TaskID(pass: pass, sector: sector - (sectors?.lowerBound ?? 0))
  }
}

extension SectorStory {
  /// The most attempts that are listed.
  private static let listed = 10

  /// What the run recorded of the sector's task in a pass.
  fileprivate func lines(ofPass pass: Int) -> [String] {
    let tried = attempts.filter { $0.pass == pass }
    var lines = tried.suffix(Self.listed).map { attempt in
      let end =
        switch attempt.ending {
        case .failed: "failed"
        case .lost: "was lost with its system"
        case .withdrawn: "was withdrawn"
        case .done, .none: "has no end: its process died, or still runs"
        }
      return "on \(attempt.system): \(end)" + (attempt.reason.map { ": \($0)" } ?? "")
    }
    if let givenUp, givenUp.pass == pass {
      if tried.isEmpty {
        lines += givenUp.story.failures.suffix(Self.listed).map { "on \($0.system): \($0.reason)" }
      }
      lines.append("gave up after \(givenUp.story.attempts) attempts")
    }
    if let done = done.first(where: { $0.pass == pass }) {
      lines.append("on \(done.system): done in \((done.seconds ?? 0).inMilliseconds) s")
    }
    return lines.isEmpty ? ["nothing is recorded of it"] : lines
  }
}
