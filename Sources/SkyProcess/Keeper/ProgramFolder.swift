import Foundation

/// The folder of the programs of one keeper, which is empty whenever one begins. One that a program
/// leaves as it was is the next one's too, as making a folder can take longer than a short program.
struct ProgramFolder {
  /// The folder of the folders of all keepers, which is this account's alone.
  private let parent: String
  /// The keeper's, in which only the program's is.
  private let own: String
  /// Names the program's folder. What cannot be removed keeps its name, and the next folder has another.
  private var number = 1

  /// - Parameters:
  ///   - parent: an absolute path that nobody can guess. The folder is made when it is needed.
  ///   - slot: the number of the keeper.
  init(in parent: String, slot: Int) {
    self.parent = parent
    own = "\(parent)/\(slot)"
  }

  var path: String { "\(own)/\(number)" }

  /// What the system has refused to make, and its error.
  struct Fault: Error {
    let path: String
    let reason: CInt
  }

  /// Makes the folder and those above it, or finds that it is there and empty.
  mutating func make() throws(Fault) {
    if isAsMade { return }
    clear()
    // What cleans temporary folders, and a keeper that ends, may remove those above at any time.
    var attempts = 4
    while true {
      do throws(Fault) {
        try Self.provide(parent)
        try Self.provide(own)
        guard mkdir(path, 0o700) != 0 else { return }
        throw Fault(path: path, reason: errno)
      } catch {
        switch error.reason {
        case EEXIST: number += 1
        case ENOENT where attempts > 0: attempts -= 1
        default: throw error
        }
      }
    }
  }

  /// Removes what a program has left, which must have ended.
  func clear() {
    if isAsMade { return }
    openUp(AT_FDCWD, parent)
    Self.empty(own)
  }

  /// Removes the keeper's folder, of which no program may use anything any more, and then the one of all keepers, if
  /// no other one's is in it.
  func remove() {
    openUp(AT_FDCWD, parent)
    Self.remove(own)
    rmdir(parent)
  }

  /// Removes a folder. What the account has no right to remove stays.
  static func remove(_ path: String) {
    empty(path)
    rmdir(path)
  }

  /// Removes what is in a folder, or stands in its place.
  private static func empty(_ path: String) {
    guard rmdir(path) != 0, errno != ENOENT, errno != EBUSY else { return }
    if errno == ENOTDIR { unlink(path) }
    openUp(AT_FDCWD, path)
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    var removal = Removal(root: folder)
    removal.run()
  }

  /// Makes a folder of this account alone, or finds it there.
  private static func provide(_ folder: String) throws(Fault) {
    // A program may have put something else in its place. A folder is not removed so.
    unlink(folder)
    let reason = make(folder)
    if reason == 0 { return }
    guard reason == EEXIST else { throw Fault(path: folder, reason: reason) }
    // Where many accounts may make folders, nobody else can replace one of this account.
    var status = stat()
    guard lstat(folder, &status) == 0 else { throw Fault(path: folder, reason: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      throw Fault(path: folder, reason: EPERM)
    }
    openUp(AT_FDCWD, folder)
  }

  /// Makes a folder, and those above it that are gone.
  ///
  /// - Returns: 0, or the system's error.
  private static func make(_ folder: String) -> CInt {
    if mkdir(folder, 0o700) == 0 { return 0 }
    guard errno == ENOENT, let end = folder.lastIndex(of: "/"), end > folder.startIndex else {
      return errno
    }
    let reason = make(String(folder[..<end]))
    guard reason == 0 || reason == EEXIST else { return reason }
    return mkdir(folder, 0o700) == 0 ? 0 : errno
  }

  private var isAsMade: Bool {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return false }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o7777 == 0o700
    else { return false }
    return names(in: folder) == []
  }
}

/// Lets the account list and change a folder that belongs to it. A link is left alone.
private func openUp(_ directory: CInt, _ name: UnsafePointer<CChar>) {
  var status = stat()
  guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
    status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o700 != 0o700
  else { return }
  fchmodat(directory, name, 0o700, 0)
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
