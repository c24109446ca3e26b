/// Why a journal cannot be used, or no longer. The file is unchanged, or holds everything that was
/// committed before.
public struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: Hashable, Sendable {
    /// There is no such file, and the caller did not ask to make one.
    case notFound
    /// The file or its directory cannot be opened or written.
    case inaccessible
    /// The file is no journal.
    case notAJournal
    /// Another version of the software made the file, in a format that this version does not read.
    case unknownFormat
    /// The file is a journal with contents that no engagement writes.
    case damaged
    /// Another process has the journal open.
    case inUse
    /// The journal belongs to another job.
    case otherJob
    /// A write failed during the run.
    case writeFailed
    /// The journal's file, its log, or its shared memory was deleted, moved, replaced or truncated
    /// during the run. ``fault`` says whether the recorded results can be trusted.
    case lost
  }

  /// What kind of failure it is.
  public let code: Code
  /// The journal's path, as the caller named it.
  public let path: String
  /// The fault and the remedy, as the rest of a sentence that begins with the path.
  public let fault: String

  init(_ code: Code, _ path: String, _ fault: String) {
    self.code = code
    self.path = path
    self.fault = fault
  }

  static func withoutJob(_ path: String) -> JournalError {
    JournalError(
      .damaged, path,
      "it has no job yet: the process that made it ended before it began; use it again")
  }

  public var description: String { "\(path): \(fault)" }
}

extension JournalError {
  static func damaged(_ path: String, _ what: String) -> JournalError {
    JournalError(
      .damaged, path,
      "it is damaged (\(what)) and was left as it is: save what can be read of it with "
        + "`sqlite3 FILE .recover`, and start with another journal")
  }

  static func notAJournal(_ path: String, _ what: String) -> JournalError {
    JournalError(
      .notAJournal, path, "it is not a journal (\(what)) and was left as it is: name another file")
  }

  static func inaccessible(_ path: String, _ reason: String) -> JournalError {
    JournalError(
      .inaccessible, path,
      "it cannot be opened (\(reason)); check that its directory exists and both may be written")
  }
}
