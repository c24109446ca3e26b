/// A job that adds parts while it runs, each a range of sectors, as they come to be known.
///
/// A job writes only ``nextPart()``. By default each part begins with one task for each of its sectors, in the first
/// pass, and the job begins without a sector.
///
/// ```swift
/// /// Scans each file that comes into a folder.
/// struct FolderJob: GrowableJob {
///   typealias Work = FileScan
///   let settings = NoSettings()
///   let arrivals: Arrivals
///
///   func nextPart() async throws -> JobPart? {
///     guard let file = try await arrivals.next() else { return nil }
///     return JobPart(number: file.number, sectors: file.number..<file.number + 1, name: file.name)
///   }
///   func sector(for task: TaskID) -> String { arrivals.path(task.sector) }
///   func receive(_ output: Int, for task: TaskID) -> ReceivedResult { ReceivedResult(result: output) }
/// }
/// ```
///
/// Tasks that follow from an output (``ReceivedResult/added``) are of sectors that the job has by then. A job that makes
/// new sectors of its outputs, as a crawler does, needs no parts: it is a ``Job``.
///
/// A job that goes on from a journal returns the parts of the first time again, with the same numbers and sectors. Its
/// sectors are then all of parts: ``Job/sectorCount`` is 0.
public protocol GrowableJob: Job {
  /// What its parts are called, where systems show the run too. By default they are called parts. A command's workload
  /// says the same (`RunWords`).
  static var part: RunWords.Noun { get }
  /// How many parts the job will have; `nil` if that is not known by now, as by default.
  var expectedParts: Int? { get }

  /// Waits for the next part. The engagement calls this method when it runs low on tasks, never twice at a time,
  /// and on a copy of the job. `nil` means that no part is left; the engagement then ends with its last task. An
  /// error ends the engagement.
  func nextPart() async throws -> JobPart?

  /// Adds a part that ``nextPart()`` has returned. By default it begins with all of its sectors.
  mutating func add(_ part: JobPart) throws -> AddedPart

  /// Hears that no task of a part is left. Each of its sectors has its result, or was given up. By default the job does
  /// not care.
  mutating func ended(_ part: JobPart)
}

/// A growing job that has the journal keep how each part ended, once all that follows from the part is done, such as the
/// writing of its results. For other jobs the engagement does so, when no task of the part is left.
package protocol JobWithOutcomes: GrowableJob {
  /// A sector's result in a part that an earlier process ended (``AddedPart/ended``); `nil` if that is not known.
  func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)?
}

extension GrowableJob {
  public static var part: RunWords.Noun { RunWords().part }

  public var sectorCount: Int { 0 }

  public var expectedParts: Int? { nil }

  public mutating func add(_ part: JobPart) throws -> AddedPart {
    .tasks([TaskRange(sectors: part.sectors)])
  }

  public mutating func ended(_ part: JobPart) {}
}

/// A part of a growing job: sectors that the job has added while it ran, such as those of one file of many.
///
/// The sectors of a part follow those of every part with a smaller number.
public struct JobPart: Hashable, Sendable {
  /// Its number among the job's parts, from 0. There may be gaps.
  public let number: Int
  /// Its sectors. A part that ended before it could be cut, such as a file that cannot be read, has none.
  public let sectors: Range<Int>
  /// What it is, for people, such as a file's name.
  public let name: String
  /// What the job needs to know it again, in a form that only the job reads.
  package var facts = ""
  /// How the part ended, in a form that only the job reads. It is `nil` until the part has ended and all that
  /// follows from it is done, such as the writing of its results.
  package var outcome: String?

  /// - Parameters:
  ///   - number: the part's number among the job's parts, from 0.
  ///   - sectors: the part's sectors, which follow those of every part with a smaller number.
  ///   - name: what the part is, for people. By default it is the number.
  public init(number: Int, sectors: Range<Int>, name: String? = nil) {
    self.number = number
    self.sectors = sectors
    self.name = name ?? "\(number)"
  }

  package init(
    number: Int, sectors: Range<Int>, name: String, facts: String = "", outcome: String? = nil
  ) {
    self.init(number: number, sectors: sectors, name: .some(name))
    self.facts = facts
    self.outcome = outcome
  }

  /// The part as it ended, in the form that journals are read for.
  package func ended(withFailures: Bool) -> JobPart {
    var part = self
    part.outcome = #"{"state":"\#(withFailures ? "failed" : "done")"}"#
    return part
  }
}

/// What becomes of a part that a job has added.
public enum AddedPart: Sendable {
  /// The part begins with these tasks.
  case tasks([TaskRange])
  /// The part cannot be begun, so all of its sectors fail for this reason.
  case failed(reason: String)
  /// An earlier process has ended the part, so its sectors have their results from the journal.
  case ended
}
