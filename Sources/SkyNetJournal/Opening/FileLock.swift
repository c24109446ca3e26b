import Foundation
import Synchronization

/// A lock on a file that one process holds, until it lets go or dies.
///
/// flock(2): it goes by the open file. SQLite's own locks, by fcntl(2), neither see it nor are
/// seen by it, so that readers come and go. But whoever closes any descriptor of a file loses the
/// fcntl locks on it: a lock is taken before SQLite opens the file, and let go after it closed it.
final class FileLock: Sendable {
  private let descriptor: Mutex<CInt?>

  private init(descriptor: CInt) { self.descriptor = Mutex(descriptor) }

  deinit { release() }

  /// Lets go; again, it changes nothing.
  func release() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }

  /// Calls with the locked file's descriptor; with none once the lock was let go.
  func withDescriptor<T: Sendable>(_ body: (CInt?) -> T) -> T {
    descriptor.withLock { body($0) }
  }

  enum Outcome {
    /// With how many bytes the file has, and its first ones.
    case taken(FileLock, size: Int, start: [UInt8])
    case absent
    case held
    /// Somebody put another file in this one's place meanwhile.
    case replaced
  }

  /// Takes the lock if nobody holds it.
  ///
  /// - Parameter making: whether to make an empty file if there is none. Then a link to a file is
  ///   not followed: what is made is about to be written over.
  /// - Throws: ``JournalError`` if the file cannot be opened for writing.
  static func take(_ path: String, making: Bool = false) throws -> Outcome {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | (making ? O_CREAT | O_NOFOLLOW : 0), 0o666)
    guard descriptor >= 0 else {
      let reason = errno
      if reason == ENOENT, !making { return .absent }
      throw JournalError.inaccessible(path, words(reason, path, making: making))
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

  private static func words(_ reason: CInt, _ path: String, making: Bool) -> String {
    switch reason {
    case EISDIR: "it is a directory"
    case ELOOP where making: "\(path) is a link, and is not written to"
    default: String(cString: strerror(reason))
    }
  }

  /// Whether somebody holds a file's lock, and how the file begins; `nil` if there is none.
  ///
  /// - Throws: ``JournalError``.
  static func look(at path: String) throws -> (isHeld: Bool, header: [UInt8])? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw JournalError.notAJournal(path, "it is no regular file")
    }
    // Shared, so that lookers do not refuse each other; let go at once.
    let isHeld = flock(descriptor, LOCK_SH | LOCK_NB) != 0
    return (isHeld, start(of: descriptor))
  }

  private static func start(of descriptor: CInt) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Schema.headerSize)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }
}
