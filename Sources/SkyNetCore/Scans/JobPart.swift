/// A part of a growing job: sectors that the job has added while it ran, such as those of one file of many.
///
/// A job's parts are numbered in the order of their sectors: the sectors of a part follow those of every part
/// with a smaller number.
public struct JobPart: Hashable, Sendable {
  /// Its position among the job's parts, counted from 0. There may be gaps.
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
