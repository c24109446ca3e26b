import Foundation

/// A source of tasks for one kind of scan, and the place where their outputs come together.
///
/// The job belongs to the coordinator, which calls it from one place at a time. Attempts call
/// ``sector(for:)`` and ``check(_:for:)`` concurrently.
public protocol Job: Sendable {
  /// The type of the scans that the job has made.
  associatedtype Work: Scan

  /// The scan's settings. All tasks have them unless ``settings(for:)`` says otherwise.
  var settings: Work.Settings { get }
  /// The settings for one task, if they are not those of all tasks. By default they are ``settings``.
  func settings(for task: TaskID) -> Work.Settings
  /// A number that is the same for tasks with the same settings, so that those are coded once. By default all
  /// tasks have 0.
  func settingsGroup(of task: TaskID) -> Int
  /// The number of sectors that the job begins with, which are numbered from 0. Tasks that follow from an output may be
  /// of further sectors (``ReceivedResult/added``).
  var sectorCount: Int { get }

  /// What is scanned, such as a file's name, for people. By default the kind of scan.
  var name: String { get }

  /// The names of the passes that the job may have, in order, each with a weight: how long it takes, in
  /// relation to the others. By default there is one pass without a name.
  var passes: [(name: String, weight: Double)] { get }

  /// Whether the job's own code takes microseconds and never waits: to make a sector, to check an output, and to take
  /// it. Such code runs between the messages of all connections, and holds them up; to have it run elsewhere would take
  /// longer than the code. By default it is `false`.
  var isLight: Bool { get }

  /// Whether a scan may run twice without harm. If so, a second attempt beside one that takes long is made on an idle
  /// system. By default it is `true`. Whatever it is, a scan may run twice when its system is lost.
  var mayRunTwice: Bool { get }

  /// How long a task waits before it is tried again. By default it does not.
  var retryWaits: RetryWaits { get }

  /// Whether another attempt at a task may succeed after this one: its scan threw, or took too long, or its answer was
  /// refused. If not, the sector is given up at once. By default each is worth another attempt, until
  /// ``EngagementSettings/attempts`` have failed. A failure that is final by its code is not asked about.
  func isWorthRetrying(_ failure: FailedAttempt, of task: TaskID) -> Bool

  /// The facts that determine the job's results: a journal is resumed only by the same job. By
  /// default these are the scan's kind, its settings and the number of sectors. What the settings do not tell of the
  /// inputs belongs here too, such as a digest of them: otherwise a journal gives other inputs the outputs of these.
  func identity() async throws -> JobIdentity

  /// Makes the data that a system needs to scan one sector. It is called again for each attempt, so
  /// that sectors need not all be in memory.
  func sector(for task: TaskID) async throws -> Work.Sector

  /// The most bytes that the output of a task takes on the wire. A larger answer is refused before
  /// it is decoded, as decoding takes many times the memory. By default, the limit is that of the
  /// protocol.
  func outputLimit(for task: TaskID) -> OutputLimit

  /// Checks whether an output from a system or a journal is possible at all, before it is used. If
  /// this method throws, the fault counts against the system, and the sector goes elsewhere. By
  /// default, every output is accepted.
  func check(_ output: Work.Output, for task: TaskID) throws

  /// Takes the output of a task, once for each task, after ``check(_:for:)`` has let it through. An
  /// error thrown here ends the engagement.
  mutating func receive(_ output: Work.Output, for task: TaskID) throws -> ReceivedResult

  /// Hears that the engagement has given a task up. By default the job does not care.
  mutating func gaveUp(_ task: TaskID, reason: String)
}

extension Job {
  public var name: String { "\(Work.kind)" }

  public var passes: [(name: String, weight: Double)] { [] }

  public var isLight: Bool { false }

  public var mayRunTwice: Bool { true }

  public var retryWaits: RetryWaits { RetryWaits() }

  public func isWorthRetrying(_ failure: FailedAttempt, of task: TaskID) -> Bool { true }

  public func settings(for task: TaskID) -> Work.Settings { settings }

  public func settingsGroup(of task: TaskID) -> Int { 0 }

  public func outputLimit(for task: TaskID) -> OutputLimit { OutputLimit() }

  public mutating func gaveUp(_ task: TaskID, reason: String) {}

  public func check(_ output: Work.Output, for task: TaskID) throws {}

  public func identity() async throws -> JobIdentity {
    let encoder = JSONEncoder.ofValues(isSorted: true)
    return JobIdentity([
      JobIdentity.Fact("scan", "\(Work.kind)"),
      JobIdentity.Fact("sectors", "\(sectorCount)"),
      JobIdentity.Fact("settings", String(decoding: try encoder.encode(settings), as: UTF8.self)),
    ])
  }
}

/// A job of which the sectors' results do not depend on how many there are. A journal of it is resumed also with more
/// sectors or fewer.
package protocol ResizableJob: Job {}

/// The most bytes that the output of a task may take.
public struct OutputLimit: Hashable, Sendable {
  /// The bytes of its JSON, with the rest of the answer's body.
  public var json: Int
  /// The bulk bytes beside the JSON.
  public var bulk: Int

  /// Makes a limit, by default none but the protocol's own.
  public init(json: Int = .max, bulk: Int = .max) {
    self.json = json
    self.bulk = bulk
  }
}

/// The result that a job made of a task's output, and the tasks that follow from it.
public struct ReceivedResult: Sendable {
  /// The sector's result, which completes it; `nil` if a later pass will give the result.
  public var result: (any Encodable & Sendable)?
  /// The tasks that can be handed out from now on. They may be of sectors that the job did not have before, such as the
  /// pages to which a page links. A process that goes on from a journal gives the job its outputs in the order in which
  /// it received them first, so such a job may number its sectors as they come.
  public var added: [TaskRange]
  /// What a journal keeps in place of the output, of the same type; `nil` for the output itself. A later process
  /// receives it as an output of the task.
  package var recorded: (any Codable & Sendable)?

  /// Makes a result, by default one that no further task follows from.
  public init(result: (any Encodable & Sendable)?, added: [TaskRange] = []) {
    self.result = result
    self.added = added
  }
}

/// The facts that determine a job's results, by name: for people, and to compare jobs.
///
/// Jobs with equal facts give the same results. Speed, place and systems do not belong here.
public struct JobIdentity: Hashable, Sendable, Codable {
  /// Something that determines a job's results, as text.
  public struct Fact: Hashable, Sendable, Codable {
    /// The name for people, such as `sector size`.
    public let name: String
    /// The value. Two jobs have the same fact if their texts are the same.
    public let value: String

    /// Makes a fact of this name and value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The facts, each under a name of its own.
  public var facts: [Fact]

  /// Makes the identity of a job with these facts.
  public init(_ facts: [Fact]) {
    self.facts = facts
  }
}

/// What a journal kept of an output does not hold any more, as the file is gone that has the rest. Its task is done again.
///
/// A job throws it in ``Job/receive(_:for:)`` of an output that an earlier process recorded.
package struct StaleOutput: Error, Hashable {
  package init() {}
}

/// An output of which a journal may keep less than all. What is left has the same fingerprint.
package protocol ShortenedOutput: Sendable {
  var fingerprint: String { get }
}
