import Foundation

/// A folder that only this account can use, and the files in it that only this account can use.
final class OwnFolder {
  private let descriptor: CInt

  /// - Returns: `nil` if it is another account's too, or if a symbolic link leads to it.
  init?(_ path: String) {
    guard let path = FilePath(path) else { return nil }
    descriptor = path.openDirectory()
    guard descriptor >= 0 else { return nil }
    // From here on, `deinit` closes the descriptor.
    guard Self.isOwn(descriptor, S_IFDIR, mode: 0o700) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The contents of a short file; `nil` if it is not the account's alone.
  func contents(of name: String) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard Self.isOwn(file, S_IFREG, mode: 0o600) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  /// Makes a file and locks it. Returns its descriptor.
  func makeFile(_ name: String, _ contents: [UInt8]) -> CInt? {
    // Under its name it is locked already, so that no other process takes it for one left behind.
    let draft = name + ".new"
    let file = openat(descriptor, draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0, fchmod(file, 0o600) == 0,
      write(file, contents, contents.count) == contents.count,
      renameat(descriptor, draft, descriptor, name) == 0
    else {
      unlinkat(descriptor, draft, 0)
      close(file)
      return nil
    }
    return file
  }

  /// Removes the files that no process holds locked.
  func removeUnlocked(ending: String) {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(descriptor)"))
    for name in names ?? [] where name.hasSuffix(ending) {
      let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlinkat(descriptor, name, 0) }
    }
  }

  private static func isOwn(_ descriptor: CInt, _ kind: mode_t, mode: mode_t) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == kind
      && status.st_mode & 0o7777 == mode && status.st_uid == geteuid()
  }
}
