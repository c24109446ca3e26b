/// A job that adds parts while it runs, each a range of sectors, as they come to be known.
package protocol GrowableJob: Job {
  /// What its parts are called.
  static var part: RunWords.Noun { get }
  /// How many parts the job will have; `nil` if that is not known by now.
  var expectedParts: Int? { get }

  /// Waits for the next part. The engagement calls this method when it runs low on tasks, never twice at a time,
  /// and on a copy of the job. `nil` means that no part is left; the engagement then ends with its last task. An
  /// error ends the engagement.
  func nextPart() async throws -> JobPart?

  /// Adds a part that ``nextPart()`` has returned.
  mutating func add(_ part: JobPart) throws -> AddedPart

  /// Hears that no task of a part is left. Each of its sectors has its result, or was given up.
  mutating func ended(_ part: JobPart)

  /// A sector's result in a part that an earlier process ended; `nil` if the part's outcome does not tell.
  func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)?
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
  package var facts: String
  /// How the part ended, in a form that only the job reads. It is `nil` until the part has ended and all that
  /// follows from it is done, such as the writing of its results.
  package var outcome: String?

  package init(
    number: Int, sectors: Range<Int>, name: String, facts: String = "", outcome: String? = nil
  ) {
    self.number = number
    self.sectors = sectors
    self.name = name
    self.facts = facts
    self.outcome = outcome
  }
}

/// What becomes of a part that a job has added.
package enum AddedPart: Sendable {
  /// The part begins with these tasks.
  case tasks([TaskRange])
  /// The part cannot be begun, so all of its sectors fail for this reason.
  case failed(reason: String)
  /// An earlier process has ended the part, so its sectors have their results from the journal.
  case ended
}
