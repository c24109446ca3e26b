import Foundation
import SkyFiles
import Synchronization

/// An exclusive lock on a file. A process holds it until it releases it or dies.
///
/// It is a flock(2) lock, which belongs to the open file. It does not interact with SQLite's own
/// locks, which are of fcntl(2), so readers may come and go. But a process that closes any
/// descriptor of a file loses its fcntl locks on the file; so this lock is taken before SQLite
/// opens the file, and released after SQLite has closed it.
final class FileLock: Sendable {
  private let descriptor: Mutex<CInt?>

  private init(descriptor: CInt) { self.descriptor = Mutex(descriptor) }

  deinit { release() }

  /// Releases the lock. A second call does nothing.
  func release() {
    descriptor.withLock { descriptor in
      if let descriptor { Self.unlock(descriptor) }
      descriptor = nil
    }
  }

  /// Closes a file, and frees its lock before: a process that is just being started has a copy of the descriptor until
  /// it runs its program, and would hold the lock.
  private static func unlock(_ descriptor: CInt) {
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Calls `body` with the locked file's descriptor, or with `nil` after the lock was released.
  func withDescriptor<T: Sendable>(_ body: (CInt?) -> T) -> T {
    descriptor.withLock { body($0) }
  }

  enum Outcome {
    /// The lock is taken; with the file's size in bytes, and its first bytes.
    case taken(FileLock, size: Int, start: [UInt8])
    case absent
    case held
    /// The path leads to another file by now.
    case replaced
  }

  /// Takes the lock if it is free.
  ///
  /// - Parameter making: whether to make an empty file if there is none. Then a symbolic link is
  ///   not followed, since the caller will overwrite the file.
  /// - Throws: ``JournalError`` if the file cannot be opened for writing.
  static func take(_ path: String, making: Bool = false) throws -> Outcome {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | (making ? O_CREAT | O_NOFOLLOW : 0), 0o666)
    guard descriptor >= 0 else {
      let reason = errno
      if reason == ENOENT, !making { return .absent }
      throw JournalError.inaccessible(path, message(reason, path, making: making))
    }
    let lock = FileLock(descriptor: descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return .held }
      guard errno == EINTR else {
        throw JournalError.inaccessible(path, String(cString: strerror(errno)))
      }
    }
    var (mine, named) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, stat(path, &named) == 0,
      mine.st_ino == named.st_ino, mine.st_dev == named.st_dev
    else { return .replaced }
    guard mine.st_mode & S_IFMT == S_IFREG else {
      throw JournalError.notAJournal(path, "it is no regular file")
    }
    return .taken(lock, size: Int(mine.st_size), start: start(of: descriptor))
  }

  private static func message(_ reason: CInt, _ path: String, making: Bool) -> String {
    switch reason {
    case EISDIR: "it is a directory"
    case ELOOP where making: "\(path) is a link, and is not written to"
    case ELOOP: "it \(LinkEnd.loop)"
    default: String(cString: strerror(reason))
    }
  }

  /// Whether a process holds a file's lock, and the file's first bytes; `nil` if there is no file.
  ///
  /// - Throws: ``JournalError``.
  static func look(at path: String) throws -> (isHeld: Bool, header: [UInt8])? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
    defer { unlock(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw JournalError.notAJournal(path, "it is no regular file")
    }
    // A shared lock, so that readers do not block each other.
    let isHeld = flock(descriptor, LOCK_SH | LOCK_NB) != 0
    return (isHeld, start(of: descriptor))
  }

  private static func start(of descriptor: CInt) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Schema.headerSize)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }
}
