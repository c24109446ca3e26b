import Foundation
import SkyFiles
import SkyProcess
import Synchronization

/// Shows a system that the folder which it finds by the run's path is the run's own, and no other one of that name.
package struct FolderProof: Codable, Hashable, Sendable {
  /// The folder's device and inode, which tell on the engagement's machine.
  package var device: UInt64
  package var inode: UInt64
  /// The name of a file in the folder, which only one who sees that folder can know to be there. Machines that share a
  /// folder may number it differently, and cloned disks number all alike. `nil` for this machine and account, and if no
  /// such file could be made.
  package var token: String?

  init(_ number: FolderNumber, token: String? = nil) {
    (device, inode, self.token) = (number.device, number.inode, token)
  }

  /// Whether this folder of the engagement's machine is it.
  func isOf(_ folder: OpenDirectory) -> Bool {
    folder.number == FolderNumber(device: device, inode: inode)
  }

  /// Looks for the file in a folder. A name that nobody has asked for is looked up anew, also over a network.
  ///
  /// - Returns: zero if it is there, and the system's error otherwise.
  func look(in folder: OpenDirectory) -> CInt {
    guard let token, FolderToken.isName(token) else { return ENOENT }
    return faccessat(folder.descriptor, token, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno
  }
}

/// The file by which a run shows its folder to other machines. It is made when the first of them is there, and removed
/// at the run's end. A living run holds a lock on it; what a killed one left is removed by the account's next one.
final class FolderToken: Sendable {
  private enum State {
    case none
    case made(name: String, descriptor: CInt)
    /// It cannot be made, or the run has ended.
    case over
  }

  private let folder: OpenDirectory
  private let state = Mutex(State.none)

  init(in folder: OpenDirectory) { self.folder = folder }

  deinit { end() }

  /// The file's name; `nil` if the folder takes no file. Blocks the thread the first time.
  var name: String? {
    state.withLock { state in
      if case .none = state { state = make() }
      guard case .made(let name, _) = state else { return nil }
      return name
    }
  }

  /// Whether to ask for the name takes no time.
  var isDecided: Bool {
    state.withLock { state in
      if case .none = state { false } else { true }
    }
  }

  private func make() -> State {
    while true {
      let name =
        Self.prefix + (0..<2).map { _ in Self.digits(.random(in: 0...UInt64.max)) }.joined()
      let descriptor = openat(
        folder.descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      // Of what is short now there may be more for the next system.
      guard descriptor >= 0 else { return ProgramFault.isShortage(errno) ? .none : .over }
      // Where a file system has no locks, nobody gets one, and none removes the file.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Another run may have taken the file for a dead one's before it was locked.
      var status = stat()
      if fstat(descriptor, &status) != 0 || status.st_nlink > 0 {
        return .made(name: name, descriptor: descriptor)
      }
      close(descriptor)
    }
  }

  /// Removes the file.
  func end() {
    state.withLock { state in
      if case .made(let name, let descriptor) = state {
        unlinkat(folder.descriptor, name, 0)
        close(descriptor)
      }
      state = .over
    }
  }

  /// Removes what killed runs of this account have left in the folder.
  func removeLeft() {
    // The stream closes its own descriptor, which begins at the first name.
    let own = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return }
    guard let stream = fdopendir(own) else {
      close(own)
      return
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if Self.isName(name) { removeUnlocked(name) }
    }
  }

  private func removeUnlocked(_ name: String) {
    let descriptor = openat(
      folder.descriptor, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_size == 0,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    unlinkat(folder.descriptor, name, 0)
  }

  private static let prefix = ".skynet-"

  private static func digits(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }

  /// Whether a text is such a name: it may come from anywhere.
  static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    return bytes.count == prefix.utf8.count + 32 && bytes.starts(with: prefix.utf8)
      && bytes.dropFirst(prefix.utf8.count).allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}
