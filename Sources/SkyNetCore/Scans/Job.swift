import Foundation

/// A source of tasks for one kind of scan, and the place where their outputs come together.
///
/// The job belongs to the coordinator and is called from one place at a time, except for
/// ``sector(for:)``, which attempts call concurrently.
public protocol Job: Sendable {
  associatedtype Work: Scan

  var settings: Work.Settings { get }
  /// How many sectors there are; they are numbered from 0.
  var sectorCount: Int { get }

  /// What makes the results what they are: a journal goes on only with the same job. Unless a job
  /// says otherwise, its scan's kind, its settings and the number of its sectors.
  func identity() async throws -> JobIdentity

  /// Makes what a system needs to scan one sector. Called anew for each attempt, so that sectors
  /// need not all be in memory.
  func sector(for task: TaskID) async throws -> Work.Sector

  /// The most bytes that a task's output takes on its way; an answer that is larger is refused before
  /// it is read, as what is read takes many times the memory. Unless a job defines it, what the
  /// protocol allows.
  func outputLimit(for task: TaskID) -> OutputLimit

  /// Looks at what a system, or a journal, says is a task's output, before anything is done with it:
  /// whether it can be that at all. What is thrown fails the attempt, is told of the system, and the
  /// sector goes elsewhere. Called like ``sector(for:)``, also from several threads at once. Unless a
  /// job defines it, every output is taken.
  func check(_ output: Work.Output, for task: TaskID) throws

  /// Takes the output of a task, once for each task, when ``check(_:for:)`` has let it through. What
  /// is thrown here ends the engagement.
  mutating func receive(_ output: Work.Output, for task: TaskID) throws -> ReceivedResult
}

extension Job {
  public func outputLimit(for task: TaskID) -> OutputLimit { OutputLimit() }

  public func check(_ output: Work.Output, for task: TaskID) throws {}

  public func identity() async throws -> JobIdentity {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return JobIdentity([
      JobIdentity.Fact("scan", "\(Work.kind)"),
      JobIdentity.Fact("sectors", "\(sectorCount)"),
      JobIdentity.Fact("settings", String(decoding: try encoder.encode(settings), as: UTF8.self)),
    ])
  }
}

/// The most that a task's output may take, in bytes.
public struct OutputLimit: Hashable, Sendable {
  /// As JSON, with what the answer says beside it.
  public var json: Int
  /// As bulk bytes beside the JSON.
  public var bulk: Int

  public init(json: Int = .max, bulk: Int = .max) {
    self.json = json
    self.bulk = bulk
  }
}

/// What a job made of a task's output, and what follows from it.
public struct ReceivedResult: Sendable {
  /// The sector's result, which ends it, or `nil` if a later pass will say.
  public var result: (any Encodable & Sendable)?
  /// Tasks that can be handed out from now on.
  public var added: [TaskRange]

  public init(result: (any Encodable & Sendable)?, added: [TaskRange] = []) {
    self.result = result
    self.added = added
  }
}
