import Foundation

/// Files that are not complete yet. ``OutputFile`` writes such a file beside its target,
/// `NAME.XXXXXXXX.partial` with eight hexadecimal digits, and renames it. Of a name that would be too long with these,
/// it takes the beginning.
///
/// A process that is killed meanwhile leaves the file. A living process holds a lock on its files
/// (flock), so a file without a lock is a dead process's, and the next run over the same outputs
/// removes it.
package struct PartialFiles {
  /// The partial files of each folder that was looked at, by the names of their targets.
  private var folders: [ExactText: [ExactText: [String]]] = [:]

  package init() {}

  /// Makes an empty partial file for a target, open for writing and locked until it is closed.
  ///
  /// - Returns: `nil` if it cannot be made; `errno` tells why.
  static func make(for target: String) -> (path: String, descriptor: CInt)? {
    while true {
      let path = "\(shortened(target)).\(UUID().uuidString.prefix(8)).partial"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return nil }
      // Where a file system has no locks, no process gets one, and none removes the file.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Another process may have taken the file for a dead one's before it was locked.
      var status = stat()
      if fstat(descriptor, &status) != 0 || status.st_nlink > 0 { return (path, descriptor) }
      close(descriptor)
    }
  }

  /// Removes the partial files that dead processes have left for an output. A folder is listed
  /// once, however many outputs it has. Blocks the thread.
  package mutating func removeLeft(of output: OutputFile) {
    guard case .path(let target) = LinkEnd(output: output.path) else { return }
    let (folder, name) = SplitPath.split(target)
    let key = ExactText(folder ?? "")
    if folders[key] == nil { folders[key] = Self.list(folder ?? ".") }
    for file in folders[key]?.removeValue(forKey: ExactText(Self.shortened(String(name)))) ?? [] {
      Self.removeUnlocked(folder?.appendingName(file) ?? file)
    }
  }

  /// The longest beginning of a target's name that has room for the rest, in bytes.
  private static let longest = Int(NAME_MAX) - ".XXXXXXXX.partial".utf8.count

  /// A path with as much of its name as a partial file's can have. Files of one such name may be of several targets; each
  /// that is dead may go.
  private static func shortened(_ path: String) -> String {
    let (folder, name) = SplitPath.split(path)
    guard name.utf8.count > longest else { return path }
    var end = name.utf8.index(name.startIndex, offsetBy: longest)
    // Not within a character's bytes.
    while name.utf8[end] & 0xC0 == 0x80 { end = name.utf8.index(before: end) }
    let rest = name.utf8[..<end]
    let short = String(decoding: rest, as: UTF8.self)
    return folder?.appendingName(short) ?? short
  }

  private static func list(_ folder: String) -> [ExactText: [String]] {
    var files: [ExactText: [String]] = [:]
    guard let directory = opendir(folder) else { return files }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if let target = target(of: name) { files[target, default: []].append(name) }
    }
    return files
  }

  /// The target of a partial file; `nil` if it is another file's path.
  package static func target(ofPath path: String) -> String? {
    let (folder, name) = SplitPath.split(path)
    return target(of: String(name)).map { folder?.appendingName($0.text) ?? $0.text }
  }

  /// The target's name in the name of a partial file; `nil` if it is another file's name.
  private static func target(of name: String) -> ExactText? {
    let (bytes, ending) = (name.utf8, ".partial".utf8)
    // A dot and eight digits come before the ending.
    guard bytes.count > ending.count + 9, bytes.suffix(ending.count).elementsEqual(ending) else {
      return nil
    }
    let rest = bytes.dropLast(ending.count)
    guard rest.dropLast(8).last == UInt8(ascii: "."),
      rest.suffix(8).allSatisfy({ "0123456789ABCDEF".utf8.contains($0) })
    else { return nil }
    return ExactText(Substring(rest.dropLast(9)))
  }

  private static func removeUnlocked(_ path: String) {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var (mine, named) = (stat(), stat())
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &mine) == 0,
      mine.st_mode & S_IFMT == S_IFREG, lstat(path, &named) == 0, mine.st_ino == named.st_ino,
      mine.st_dev == named.st_dev
    else { return }
    unlink(path)
  }
}
