/// A job that adds parts while it runs, each a range of sectors, as they come to be known.
package protocol GrowableJob: Job {
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
