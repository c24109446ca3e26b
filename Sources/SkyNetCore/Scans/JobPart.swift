/// A part of a growing job: sectors that the job has added while it ran, such as one image of a night.
///
/// A job's parts are numbered in the order of their sectors: the sectors of a part follow those of every part
/// with a smaller number. Numbers and sectors may have gaps.
public struct JobPart: Hashable, Sendable {
  /// Its position among the job's parts, counted from 0.
  public let number: Int
  /// Its sectors. There is none in a part that ended before it could be cut, such as an image that cannot be
  /// read.
  public let sectors: Range<Int>
  /// What it is, for people: an image's name.
  public let name: String
  /// What the job needs to know it again, in a form that only the job reads (JSON).
  public var facts: String
  /// How the part ended, in a form that only the job reads. It is `nil` until the part has ended and all that
  /// follows from it is done: an image's catalogue is written.
  public var outcome: String?

  public init(
    number: Int, sectors: Range<Int>, name: String, facts: String, outcome: String? = nil
  ) {
    self.number = number
    self.sectors = sectors
    self.name = name
    self.facts = facts
    self.outcome = outcome
  }
}
