import Foundation

/// A source of tasks for one kind of scan, and the place where their outputs come together.
///
/// The job belongs to the coordinator and is called from one place at a time, except for
/// ``sector(for:)``, which attempts call concurrently.
public protocol Job: Sendable {
  associatedtype Work: Scan

  /// The scan, as the local system runs it.
  var scan: Work { get }
  var settings: Work.Settings { get }
  /// How many sectors there are; they are numbered from 0.
  var sectorCount: Int { get }

  /// What makes the results what they are: a journal goes on only with the same job. Unless a job
  /// says otherwise, its scan's kind, its settings and the number of its sectors.
  func identity() async throws -> JobIdentity

  /// Makes what a system needs to scan one sector. Called anew for each attempt, so that sectors
  /// need not all be in memory.
  func sector(for task: TaskID) async throws -> Work.Sector

  /// Takes the output of a task, once for each task.
  mutating func receive(_ output: Work.Output, for task: TaskID) throws -> Reception
}

extension Job {
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

/// What follows from a task's output.
public struct Reception: Sendable {
  /// The sector's result, which ends it, or `nil` if a later pass will say.
  public var result: (any Encodable & Sendable)?
  /// Tasks that can be handed out from now on.
  public var added: [TaskRange]

  public init(result: (any Encodable & Sendable)?, added: [TaskRange] = []) {
    self.result = result
    self.added = added
  }
}
