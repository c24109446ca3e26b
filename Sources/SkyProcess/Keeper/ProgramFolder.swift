import Foundation

/// The folder of the programs of one keeper, which is empty whenever one begins. One that a program
/// leaves as it was is the next one's too, as making a folder can take longer than a short program.
struct ProgramFolder {
  /// The folder of the folders of all keepers, which is this account's alone.
  private let parent: String
  let path: String

  /// - Parameters:
  ///   - parent: an absolute path that nobody can guess. The folder is made when it is needed.
  ///   - slot: the number of the keeper.
  init(in parent: String, slot: Int) {
    self.parent = parent
    path = "\(parent)/\(slot)"
  }

  /// Makes the folder and the one that it is in, or finds that it is there and empty.
  ///
  /// - Returns: 0, or the system's error.
  func make() -> CInt {
    if isAsMade { return 0 }
    // What cleans temporary folders, and a keeper that ends, may remove the parent at any time.
    for _ in 0..<4 {
      if mkdir(parent, 0o700) != 0, errno != EEXIST { return errno }
      // Where many accounts may make folders, nobody else can replace one of this account.
      var status = stat()
      guard lstat(parent, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { return EPERM }
      if mkdir(path, 0o700) == 0 { return 0 }
      switch errno {
      case EEXIST: remove()  // An earlier keeper was killed.
      case ENOENT: continue
      default: return errno
      }
    }
    return EEXIST
  }

  /// Removes what a program has left, which must have ended.
  func clear() {
    if !isAsMade { remove() }
  }

  /// Removes the folder. No program may use it any more. What the account has no right to remove,
  /// such as a mounted folder, stays.
  func remove() {
    guard rmdir(path) != 0, errno != ENOENT else { return }
    if errno == ENOTDIR { unlink(path) }
    openUp(AT_FDCWD, path)
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return }
    var removal = Removal(root: folder)
    removal.run()
    close(folder)
    rmdir(path)
  }

  /// Removes the parent, if no keeper's folder is in it.
  func removeParent() { rmdir(parent) }

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
    for name in names(in: root) ?? [] where !Self.removed(root, name) {
      openUp(root, name)
      let folder = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else { continue }
      for inner in names(in: folder) ?? [] {
        if Self.removed(folder, inner) {
          goesOn = true
          continue
        }
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

  private static func removed(_ directory: CInt, _ name: [CChar]) -> Bool {
    unlinkat(directory, name, 0) == 0 || unlinkat(directory, name, AT_REMOVEDIR) == 0
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
