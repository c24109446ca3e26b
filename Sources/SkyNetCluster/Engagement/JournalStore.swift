package import SkyNetCore

/// Remembers an engagement as it goes, so that a later process can go on with it.
///
/// One engagement uses it at a time: it reads what is past, then records what happens. A journal
/// that cannot be written ends the engagement, since no later process could rely on it.
package protocol JournalStore: Sendable {
  /// Up to `limit` of the tasks that earlier processes began, by pass and sector, from after
  /// `task` or from the beginning; none when there are no more.
  func past<Output: Codable & Sendable>(
    _ type: Output.Type, after task: TaskID?, limit: Int
  ) async throws -> [PastTask<Output>]

  /// What earlier processes lost with systems, their own among them.
  func losses() async throws -> Losses

  /// Takes an entry, and returns at once; it is written soon, in the order of the entries.
  func record(_ entry: JournalEntry)

  /// Whether entries come faster than they are written, and the recording engagement should wait for
  /// ``commit()``.
  var isBehind: Bool { get }

  /// Returns when everything recorded so far survives this process's death.
  func commit() async throws

  /// Writes what is recorded until cancelled, or throws because it cannot.
  func run() async throws

  /// Returns when everything recorded survives a power cut. Nothing is recorded afterwards.
  func finish() async throws

  /// Lets other processes open the journal. The engagement that used it has ended.
  func close() async
}

/// What a journal is told.
package enum JournalEntry: Sendable {
  /// An attempt was handed out; to this process's own system, or to another.
  case began(Attempt, isLocal: Bool)
  /// An attempt ended, and its output was not taken.
  case ended(Attempt, AttemptOutcome)
  /// A system that was lost while this task ran there is alive, as the same process: what ended as
  /// lost was only withdrawn.
  case forgave(TaskID, Incarnation)
  /// An attempt ended, and its output was taken: its task is done, and with `endsSector` its sector
  /// too. `attempts` counts all of the task's, `seconds` is this one's own time.
  case accepted(
    Attempt, output: any Codable & Sendable, attempts: Int, seconds: Double, endsSector: Bool)
  /// A task was given up, for the reasons that its attempts ended with.
  case gaveUp(TaskID, TaskStory)
}

/// What a journal knows of one task.
package struct PastTask<Output: Sendable>: Sendable {
  package enum End: Sendable {
    /// It was begun, and neither done nor given up.
    case open
    /// It was done, by the system of this name in this many seconds.
    case accepted(Output, system: String, seconds: Double)
    case gaveUp
  }

  package let id: TaskID
  package let end: End
  /// Its attempts. One that ran in an earlier process when that died is lost, and one elsewhere
  /// that no engagement waits for any more is withdrawn. Of a task that is done, only their number counts.
  package let story: TaskStory

  package init(id: TaskID, end: End, story: TaskStory) {
    self.id = id
    self.end = end
    self.story = story
  }
}
