package import SkyNetCore

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

/// How a ``Journal`` keeps its record. An engagement first reads what earlier processes did, and then records its own
/// events.
package protocol JournalStore: Sendable {
  var run: RunID { get }

  /// The parts of a growing job that earlier processes recorded, by number. Parts that this process has
  /// recorded since may be among them.
  func parts() async throws -> [JobPart]

  /// Returns up to `limit` of the tasks that earlier processes began, ordered by pass and sector. They begin
  /// after `task`, or at the first one if `task` is `nil`. An empty array means that there are no more.
  ///
  /// - Parameters:
  ///   - type: that of their outputs.
  ///   - sectors: only tasks of these sectors are returned, and no others are read; with `nil`, those of all
  ///     sectors.
  func past(
    _ type: any (Codable & Sendable).Type, in sectors: Range<Int>?, after task: TaskID?, limit: Int
  ) async throws -> [PastTask]

  /// The tasks whose outputs earlier processes took, in the order in which they did, if the job has added sectors beyond
  /// those that it began with. There are none of another job, which may take its outputs in any order.
  func order() async throws -> [TaskID]

  /// These tasks of ``order()``, in the same order.
  func past(_ type: any (Codable & Sendable).Type, _ tasks: [TaskID]) async throws -> [PastTask]

  /// The attempts that earlier processes lost because a system died, their own systems included.
  func losses() async throws -> Losses

  /// Takes an entry, and returns at once. Entries are written soon afterwards, in their order.
  func record(_ entry: JournalEntry)

  /// Whether entries come faster than they are written. The engagement should then wait for ``commit()``.
  var isBehind: Bool { get }

  /// Returns when all entries recorded so far survive the death of this process.
  func commit() async throws

  /// Writes entries as they are recorded, until its task is cancelled. Throws if it cannot write.
  func run() async throws

  /// Returns when all entries survive a power cut. No entry may be recorded afterwards.
  func finish() async throws

  /// Lets other processes open the journal. The engagement that used it has ended.
  func close() async
}

extension JournalStore {
  /// Has `body` take the tasks that earlier processes began, by pass and sector. A thousand are in memory at a time.
  ///
  /// - Parameter sectors: those whose tasks are read; `nil` for all.
  func eachPast(
    _ type: any (Codable & Sendable).Type, in sectors: Range<Int>?,
    _ body: (PastTask) async throws -> Void
  ) async throws {
    var last: TaskID?
    repeat {
      let page = try await past(type, in: sectors, after: last, limit: pageSize)
      for task in page { try await body(task) }
      last = page.last?.id
    } while last != nil
  }

  /// Has `body` take these tasks of ``order()``.
  func eachPast(
    _ type: any (Codable & Sendable).Type, _ tasks: [TaskID],
    _ body: (PastTask) async throws -> Void
  ) async throws {
    for first in stride(from: 0, to: tasks.count, by: pageSize) {
      let page = Array(tasks[first...].prefix(pageSize))
      for task in try await past(type, page) { try await body(task) }
    }
  }

  private var pageSize: Int { 1000 }
}

/// An event that a journal records.
package enum JournalEntry: Sendable {
  /// An attempt was handed out, to this process's own system or to another one.
  case began(Attempt, isLocal: Bool)
  /// An attempt ended, and the job did not take its output.
  case ended(Attempt, AttemptOutcome)
  /// A system that was lost while it ran this task is alive, as the same process. So the attempt that ended
  /// as lost now counts as withdrawn.
  case forgave(TaskID, Incarnation)
  /// An attempt ended, and the job took its output: the task is done, and with `endsSector` its sector
  /// too. `attempts` counts all attempts at the task; `seconds` is how long this attempt's scan ran.
  case accepted(
    Attempt, output: any Codable & Sendable, attempts: Int, seconds: Double, endsSector: Bool)
  /// The job has added sectors that it did not begin with, and has this many by now, in front of `end`. It comes before
  /// every attempt at these sectors. A growing job has parts instead.
  case extended(sectors: Int, end: Int)
  /// What an earlier process recorded of this task's output does not count any more. The task is open again.
  case droppedOutput(TaskID)
  /// The engagement gave a task up. The story has the reasons why its attempts failed.
  case gaveUp(TaskID, TaskStory)
  /// A system has come, gone, or changed otherwise.
  case changed(SystemChange)
  /// A growing job has added this part, or the part of this number has other facts now, or has ended. It comes
  /// before every attempt at the part's sectors, and is committed before them or with them.
  ///
  /// A part that is recorded again keeps its sectors or gets more, and no two parts share a sector.
  case part(JobPart)
  /// The part of this number does not count any more, nor does anything that was recorded of its sectors: its
  /// data have changed, and are scanned anew under another number. Attempts at its sectors that are in flight are
  /// not recorded.
  case droppedPart(Int)
}

/// A task that an earlier process began, as the journal knows it.
package struct PastTask: Sendable {
  package enum End: Sendable {
    /// The task was begun, and neither done nor given up.
    case open
    /// The system of this name did the task in this many seconds.
    case accepted(any Codable & Sendable, system: String, seconds: Double)
    /// The engagement gave the task up.
    case gaveUp
  }

  package let id: TaskID
  package let end: End
  /// The task's attempts. An attempt that ran in an earlier process when that process died is lost. An
  /// attempt on another system that no engagement waits for any more is withdrawn. If the task is done, only
  /// the number of its attempts counts.
  package let story: TaskStory

  package init(id: TaskID, end: End, story: TaskStory) {
    self.id = id
    self.end = end
    self.story = story
  }
}
