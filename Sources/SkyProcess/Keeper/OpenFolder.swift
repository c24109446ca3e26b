import CProcess
import Foundation

/// An open folder. What is in it is named from it alone: a path could lead elsewhere a moment later, where another
/// account has put a link in the place of a folder.
struct OpenFolder: ~Copyable {
  private let descriptor: CInt

  private init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens the folder of a path, which may lead over links, or makes it and those above it that are gone.
  ///
  /// - Returns: `nil`, with the reason in `errno`.
  init?(path: String) {
    let place = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)
    if place >= 0 {
      self.init(place)
      return
    }
    guard errno == ENOENT, let end = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      end > path.startIndex,
      let above = OpenFolder(path: String(path[..<end]))
    else { return nil }
    let name = String(path[path.utf8.index(after: end)...])
    guard name.isEmpty || above.makeFolder(name) == 0 || errno == EEXIST else { return nil }
    let made = openat(
      above.descriptor, name.isEmpty ? "." : name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard made >= 0 else { return nil }
    self.init(made)
  }

  // MARK: Folders in it

  /// Opens a folder in this one that belongs to this account, and closes it to others.
  ///
  /// - Returns: `nil`, with the reason in `errno`: EEXIST if something else has the name.
  func own(_ name: String) -> OpenFolder? {
    guard let folder = opened(name) else {
      if [ENOTDIR, ELOOP, EACCES].contains(errno) { errno = EEXIST }
      return nil
    }
    guard let mode = folder.mode else {
      errno = EEXIST
      return nil
    }
    guard mode == 0o700 || fchmod(folder.descriptor, 0o700) == 0 else { return nil }
    return folder
  }

  /// Makes a folder of this account alone in this one, or finds it there.
  ///
  /// - Returns: `nil`, with the reason in `errno`.
  func provide(_ name: String) -> OpenFolder? {
    // A program may have put something else in its place. A folder is not removed so.
    unlinkat(descriptor, name, 0)
    guard makeFolder(name) == 0 || errno == EEXIST else { return nil }
    // Where many accounts may make folders, nobody else can replace one of this account.
    return own(name)
  }

  /// - Returns: 0, or -1.
  func makeFolder(_ name: String) -> CInt { mkdirat(descriptor, name, 0o700) }

  /// A folder in this one that is empty, belongs to this account and has the mode of a new one; `nil` if that is none.
  func asMade(_ name: String) -> OpenFolder? {
    guard let folder = opened(name), folder.mode == 0o700,
      SkyProcess.names(in: folder.descriptor) == []
    else { return nil }
    return folder
  }

  /// Opens a folder in this one, whoever it belongs to.
  private func opened(_ name: String) -> OpenFolder? {
    openUp(descriptor, name)
    let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return folder >= 0 ? OpenFolder(folder) : nil
  }

  /// `nil` if it is another account's.
  private var mode: mode_t? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { return nil }
    return status.st_mode & 0o7777
  }

  // MARK: Locks

  /// Says, for as long as the returned lock lives, that a process uses the folder. It has no effect where the file
  /// system has no locks.
  ///
  /// - Returns: `nil`, with EEXIST in `errno`, if another process is about to remove the folder.
  func shareLock() -> FolderLock? {
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return nil }
    let lock = FolderLock(own)
    guard flock(own, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return lock }
    errno = EEXIST
    return nil
  }

  /// Locks the folder to remove it, until it is closed.
  ///
  /// - Returns: whether no process uses it, and the file system knows that.
  func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  // MARK: Use

  /// Makes it the current directory.
  ///
  /// - Returns: 0, or -1.
  func enter() -> CInt { fchdir(descriptor) }

  /// What is in it.
  var names: [String] {
    (SkyProcess.names(in: descriptor) ?? []).map { name in
      String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  // MARK: Removing

  /// Removes what is in it. What is mounted there stays.
  func empty() {
    var removal = Removal(root: descriptor)
    removal.run()
  }

  /// Empties a folder in this one, or removes it or what stands in its place.
  func empty(_ name: String) {
    guard unlinkat(descriptor, name, AT_REMOVEDIR) != 0, errno != ENOENT, errno != EBUSY else {
      return
    }
    if errno == ENOTDIR { unlinkat(descriptor, name, 0) }
    opened(name)?.empty()
  }

  /// Removes a folder in this one that is empty.
  ///
  /// - Returns: 0, or the system's error.
  @discardableResult
  func removeFolder(_ name: String) -> CInt {
    unlinkat(descriptor, name, AT_REMOVEDIR) == 0 ? 0 : errno
  }

  /// Removes what has this name, unless it is a folder.
  func removeFile(_ name: String) { unlinkat(descriptor, name, 0) }
}

/// A lock on a folder, which ends with the process at the latest. What it starts does not inherit it.
final class FolderLock {
  private let descriptor: CInt

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}

/// Lets the account list and change a folder that belongs to it. A link is left alone.
private func openUp(_ directory: CInt, _ name: UnsafePointer<CChar>) {
  var status = stat()
  guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
    status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o700 != 0o700,
    status.st_uid == geteuid()
  else { return }
  // A link may have taken its place by now.
  fchmodat(directory, name, 0o700, AT_SYMLINK_NOFOLLOW)
}

/// Empties a folder. Each folder in it that is not empty gives its own folders to the first one, so
/// that two descriptors are enough for folders of any depth.
private struct Removal {
  let root: CInt
  private var moved = 0

  init(root: CInt) { self.root = root }

  mutating func run() {
    // Each pass takes a level of what is there away. One that changes nothing is the last.
    while pass() {}
  }

  /// - Returns: whether there may be more to remove.
  private mutating func pass() -> Bool {
    var goesOn = false
    for name in names(in: root) ?? [] {
      // What is mounted there is not the program's.
      guard case let reason = Self.remove(root, name), reason != 0, reason != EBUSY else {
        continue
      }
      openUp(root, name)
      let folder = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else { continue }
      for inner in names(in: folder) ?? [] {
        let reason = Self.remove(folder, inner)
        guard reason != 0 else {
          goesOn = true
          continue
        }
        guard reason != EBUSY else { continue }
        openUp(folder, inner)
        moved += 1
        let isMoved = renameat(folder, inner, root, ".skynet-removed-\(moved)") == 0
        // The program may have a folder of that name. Then one of the next numbers is free.
        if isMoved || errno == ENOTEMPTY || errno == EEXIST { goesOn = true }
      }
      close(folder)
      if unlinkat(root, name, AT_REMOVEDIR) == 0 { goesOn = true }
    }
    return goesOn
  }

  /// - Returns: 0, or the system's error on removing it as a folder.
  private static func remove(_ directory: CInt, _ name: [CChar]) -> CInt {
    if unlinkat(directory, name, 0) == 0 || unlinkat(directory, name, AT_REMOVEDIR) == 0 {
      return 0
    }
    return errno
  }
}

/// The names in an open folder, with a zero byte at the end of each; `nil` if it cannot be listed.
private func names(in folder: CInt) -> [[CChar]]? {
  // The stream closes its own descriptor, which begins at the first name again.
  let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard own >= 0 else { return nil }
  guard let stream = fdopendir(own) else {
    close(own)
    return nil
  }
  defer { closedir(stream) }
  var names: [[CChar]] = []
  while let entry = readdir(stream) {
    let name = Array(UnsafeBufferPointer(start: entry.name, count: strlen(entry.name) + 1))
    if name != [46, 0], name != [46, 46, 0] { names.append(name) }
  }
  return names
}
