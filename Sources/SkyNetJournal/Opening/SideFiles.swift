import Foundation

/// Checks the files beside a journal before it is opened, since SQLite trusts them before anything
/// in the journal can be checked.
///
/// From a rollback journal SQLite takes pages, and the name of a file to delete. SkyNet's journals
/// are in WAL mode from their beginning and have none.
enum SideFiles {
  /// - Parameter name: the journal's path, for messages.
  /// - Throws: ``JournalError`` if one of them is not what SQLite makes for a journal.
  static func check(of path: String, named name: String) throws {
    for suffix in ["-wal", "-shm"] {
      guard let status = status(of: path + suffix) else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw JournalError(
          .damaged, name,
          "its \(path + suffix) is no regular file, and neither was touched: move that elsewhere, or "
            + "name another journal")
      }
    }
    let rollback = path + "-journal"
    // An empty rollback journal does nothing.
    if let status = status(of: rollback), status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 {
      throw JournalError(
        .damaged, name,
        "its \(rollback) comes not from skynet but from a program that was interrupted while it "
          + "changed the journal, and neither was touched: if both are your own, open the journal "
          + "once with sqlite3; otherwise name another journal")
    }
  }

  /// The status of the path itself, not of a link's target.
  private static func status(of name: String) -> stat? {
    var status = stat()
    return lstat(name, &status) == 0 ? status : nil
  }
}
