import Foundation
import GRDB

/// The file of a journal, before there is a connection to it.
enum JournalFile {
  /// The file's name without links and relative parts: SQLite puts its side files beside that.
  static func resolved(_ path: String) -> String {
    let absolute = URL(fileURLWithPath: path).path
    guard let real = realpath(absolute, nil) else { return absolute }
    defer { free(real) }
    return String(cString: real)
  }

  /// How long to wait for somebody who makes it, or looks at it; in microseconds.
  private static let pause: UInt32 = 5000

  static func log(of path: String) -> String { path + "-wal" }

  /// What may lie beside it: SQLite's, and the file that it is made as.
  static let sideSuffixes = ["-wal", "-shm", "-journal", ".partial"]

  /// Locks the file; makes it first if there is none, or nothing in it.
  ///
  /// - Throws: ``JournalError``.
  static func lock(_ path: String) throws -> FileLock {
    try SideFiles.check(of: path, named: path)
    // Each turn that does not return is one in which somebody else made or replaced the file, or
    // looked whether it is locked.
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
    throw JournalError.inaccessible(path, "it is replaced again and again, or a link to nothing")
  }

  /// Whether a file is there that begins as a journal does.
  ///
  /// - Returns: whether a process has it open for an engagement.
  /// - Throws: ``JournalError``.
  static func checkReadable(_ path: String) throws -> Bool {
    guard let file = try FileLock.look(at: resolved(path)) else {
      throw JournalError(.notFound, path, "there is no such file; check the path")
    }
    try Schema.check(header: file.header, path: path)
    return file.isHeld
  }

  /// Puts a new journal there at once, however this ends.
  private static func make(_ path: String, replacing: Bool) throws {
    var log = stat()
    if stat(Self.log(of: path), &log) == 0, log.st_size > 0 {
      throw JournalError(
        .damaged, path,
        "it is gone or empty, and yet there is its \(Self.log(of: path)): put the two together "
          + "again, or remove that, or name another journal")
    }
    // One that makes it at a time; what a killed one left is made anew.
    let temporary = path + ".partial"
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
      let database = try DatabaseQueue(path: temporary)
      try database.writeWithoutTransaction { try Schema.create($0) }
      try database.close()
    } catch let error as DatabaseError {
      throw JournalError(
        .inaccessible, path, "it cannot be made (\(words(error))); check its directory and disk")
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
      try Int.fetchOne(db, sql: "SELECT pid FROM process ORDER BY number DESC LIMIT 1")
    }
    let who = pid.flatMap { $0 }.map { " (process \($0))" } ?? ""
    return JournalError(
      .inUse, path,
      "it is in use by another engagement\(who); wait for that, or name another journal")
  }
}

/// What SQLite says of an error, with the system's word for it if that is the cause.
func words(_ error: DatabaseError) -> String {
  let words = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
  guard error.resultCode == .SQLITE_IOERR else { return words }
  return "\(words), SQLite error \(error.extendedResultCode.rawValue)"
}
