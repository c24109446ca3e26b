/// Why a journal cannot be used, or not any longer. The file is as it was, or holds everything
/// that was committed until then.
public struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// There is no such file, and none was to be made.
    case notFound
    /// The file or its directory cannot be opened or written.
    case inaccessible
    /// The file is something else.
    case notAJournal
    /// A newer version of the software made it.
    case unknownFormat
    case damaged
    case inUse
    case otherJob
    /// Something could not be written in mid-run.
    case writeFailed
    /// Its file, or the log or the shared memory beside it, was deleted, moved, replaced or truncated
    /// in mid-run. The fault says whether what was recorded can be relied on.
    case lost
  }

  public let code: Code
  public let path: String
  /// What is wrong and what to do, as the rest of a sentence that begins with the path.
  public let fault: String

  init(_ code: Code, _ path: String, _ fault: String) {
    self.code = code
    self.path = path
    self.fault = fault
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
