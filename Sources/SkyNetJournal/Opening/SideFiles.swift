import Foundation

/// What may lie beside a journal when it is opened: SQLite believes it before anything in the journal
/// can be checked.
///
/// From a rollback journal it takes pages, and the name of a file to delete. A journal is in WAL mode
/// from its beginning, and has none.
enum SideFiles {
  /// - Parameter name: the journal's, for messages.
  /// - Throws: ``JournalError`` if one of them is not what SQLite makes for a journal.
  static func check(of path: String, named name: String) throws {
    for suffix in ["-wal", "-shm"] {
      guard let status = status(of: path + suffix) else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw JournalError(
          .damaged, name,
          "its \(path + suffix) is no regular file, and neither was touched: remove that, or name "
            + "another journal")
      }
    }
    let rollback = path + "-journal"
    // An empty one rolls nothing back.
    if let status = status(of: rollback), status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 {
      throw JournalError(
        .damaged, name,
        "its \(rollback) is not of skynet but of a program that was interrupted while it changed the "
          + "journal, and neither was touched: if both are your own open it once with sqlite3, "
          + "otherwise name another journal")
    }
  }

  /// Of the name itself, not of what a link leads to.
  private static func status(of name: String) -> stat? {
    var status = stat()
    return lstat(name, &status) == 0 ? status : nil
  }
}
