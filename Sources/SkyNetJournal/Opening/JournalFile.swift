import CSQLite
import Foundation
import SkyFiles
import SkySQLite

/// The file of a journal, before SQLite opens it.
enum JournalFile {
  /// The path without links and relative parts. SQLite keeps its side files beside that path. Of a link to what is not
  /// there it is where the link leads to.
  static func resolved(_ path: String) -> String {
    let absolute = URL(fileURLWithPath: path).path
    if let real = FilePath.real(absolute) { return real.text }
    guard case .path(let end) = LinkEnd(absolute), ExactText(end) != ExactText(absolute) else {
      return absolute
    }
    let (folder, name) = SplitPath.split(end)
    return folder.flatMap { FilePath.real($0) }.map { $0.text.appendingName(name) } ?? end
  }

  /// How long to wait for another process that makes the file or checks its lock, in microseconds.
  private static let pause: UInt32 = 5000

  static func log(of path: String) -> String { path + "-wal" }

  /// The suffixes of files beside a journal: SQLite's side files, and the journal while it is being
  /// made.
  static let sideSuffixes = ["-wal", "-shm", "-journal", partialSuffix]
  private static let partialSuffix = ".partial"

  /// Locks the file. Makes it first if there is none or if it is empty.
  ///
  /// - Throws: ``JournalError``.
  static func lock(_ path: String) throws -> FileLock {
    try checkLength(of: path)
    try SideFiles.check(of: path, named: path)
    // Another turn is needed after this process or another one has made or replaced the file, and
    // while another process holds the lock, perhaps only to check it.
    for turn in 0..<10 {
      switch try FileLock.take(path) {
      case .taken(let lock, let size, let start):
        if size > 0 {
          try Schema.check(header: start, path: path)
          return lock
        }
        try make(path, replacing: true)
      case .absent: try make(path, replacing: false)
      case .held:
        guard turn < 5 else { throw inUse(path) }
        usleep(pause)
      case .replaced: break
      }
    }
    throw JournalError.inaccessible(path, "it is replaced again and again")
  }

  /// SQLite refuses whole paths of more bytes, without saying why: its limit is 512, with the suffix of a side file.
  private static let mostPathBytes = 512 - "-journal".utf8.count

  /// - Parameter suffix: what is added to the path of a file that is opened first.
  /// - Throws: ``JournalError`` if the path is too long for SQLite.
  private static func checkLength(of path: String, with suffix: String = "") throws {
    let (bytes, most) = (path.utf8.count, mostPathBytes - suffix.utf8.count)
    guard bytes > most else { return }
    throw JournalError(
      .inaccessible, path,
      "its whole path has \(bytes) bytes, and SQLite takes at most \(most): name a file in a directory nearer to "
        + "the root")
  }

  /// Checks that the file exists and begins as a journal does.
  ///
  /// - Returns: whether a process has it open for an engagement.
  /// - Throws: ``JournalError``.
  static func checkReadable(_ path: String) throws -> Bool {
    let real = resolved(path)
    guard let file = try FileLock.look(at: real) else {
      let (fault, nextStep) = OddName.absence(
        of: path, or: ("there is no such file", "check the path"))
      throw JournalError(.notFound, path, "\(fault); \(nextStep)")
    }
    try checkLength(of: real)
    try Schema.check(header: file.header, path: path)
    return file.isHeld
  }

  /// Makes a new journal. The path gets the complete file or none, even if the process dies
  /// meanwhile.
  private static func make(_ path: String, replacing: Bool) throws {
    var log = stat()
    if stat(Self.log(of: path), &log) == 0, log.st_size > 0 {
      throw JournalError(
        .damaged, path,
        "it is missing or empty, but its \(Self.log(of: path)) exists: put the journal back, or "
          + "name another journal")
    }
    // One process makes the file at a time. A file that a killed process left is made again.
    let temporary = path + partialSuffix
    try checkLength(of: path, with: partialSuffix)
    guard case .taken(let lock, _, _) = try FileLock.take(temporary, making: true) else {
      usleep(pause)
      return
    }
    var isThere = true
    defer {
      if isThere { unlink(temporary) }
      lock.release()
    }
    for suffix in sideSuffixes.dropLast() { unlink(temporary + suffix) }
    truncate(temporary, 0)
    do {
      let database = try Database(temporary)
      try Schema.create(database)
      try database.close()
    } catch let error as DatabaseError {
      throw JournalError(
        .inaccessible, path,
        "it cannot be made (\(message(of: error))); check its directory and disk")
    }
    try sync(temporary, path)
    let outcome = replacing ? rename(temporary, path) : link(temporary, path)
    guard outcome == 0 || errno == EEXIST else {
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
    isThere = !replacing
    try syncDirectory(of: path)
  }

  private static func sync(_ file: String, _ path: String, flags: CInt = 0) throws {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | flags)
    guard descriptor >= 0 else {
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
  }

  /// Makes the names of new files in the journal's directory survive a power cut.
  static func syncDirectory(of path: String) throws {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try sync(directory, path, flags: O_DIRECTORY)
  }

  private static func inUse(_ path: String) -> JournalError {
    let pid = try? JournalReader.read(path) { db in
      try db.value("SELECT pid FROM process ORDER BY number DESC LIMIT 1", as: Int.self)
    }
    let holder = pid.flatMap { $0 }.map { " (process \($0))" } ?? ""
    return JournalError(
      .inUse, path,
      "it is in use by another engagement\(holder); wait for that, or name another journal")
  }
}

/// SQLite's message for an error; for an I/O error with SQLite's extended code.
func message(of error: DatabaseError) -> String {
  guard error.resultCode == SQLITE_IOERR else { return error.message }
  return "\(error.message), SQLite error \(error.extendedResultCode)"
}
