import Foundation

/// Which key files are accepted.
///
/// A key file is its owner's alone, or root has given it to a group (``KeyFile/share(with:keys:)``), or it is one
/// that this account cannot change and that others can read only as far as the mount that made it lets them.
extension KeyFile {
  /// - Throws: ``KeyError`` `open` if accounts other than the owner can use the file, and it is not one that a
  ///   secret mount makes.
  func check(_ file: FileHandle, credentials: () -> String?) throws {
    let status = try status(of: file)
    let mode = UInt32(status.st_mode) & 0o7777
    if mode & 0o077 == 0 || Self.isOfRootAndItsGroup(mode, status) || isShared(mode, status) {
      return
    }
    if isOnReadOnlyMount(file) || isCredential(mode, in: credentials()) { return }
    // The group of a file that is not root's is not one that root has chosen.
    let group = status.st_uid == 0 ? status.st_gid : 0
    throw KeyError.open(
      path, mode: mode, sharing: self == .shared ? Self.sharingCommand(group: group) : nil)
  }

  /// Mode 0440, or 0400: Kubernetes, for instance, gives a pod's group such files.
  private static func isOfRootAndItsGroup(_ mode: UInt32, _ status: stat) -> Bool {
    status.st_uid == 0 && mode & 0o337 == 0
  }

  /// Mode 0640, and a group that root has chosen: root's own would have it by a mistake.
  func isShared(_ mode: UInt32, _ status: stat) -> Bool {
    status.st_uid == 0 && status.st_gid != 0 && mode & 0o137 == 0
  }

  /// Secrets of Docker, Podman and Kubernetes have any mode, and are mounted read-only.
  private func isOnReadOnlyMount(_ file: FileHandle) -> Bool {
    var mount = statvfs()
    return fstatvfs(file.fileDescriptor, &mount) == 0 && mount.f_flag & Self.readOnly != 0
  }

  /// `ST_RDONLY`, which POSIX defines as a bit of `f_flag`.
  private static let readOnly: UInt = 1

  /// Systemd grants a service's account its credentials by an access list, which shows as the group's bits.
  private func isCredential(_ mode: UInt32, in directory: String?) -> Bool {
    guard mode & 0o027 == 0,
      let directory, directory.utf8.first == UInt8(ascii: "/"),
      let real = Self.realPath(directory), let own = Self.realPath(path)
    else { return false }
    return own.hasPrefix(real + "/")
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// What to do where a file is there and cannot be read; `nil` if nothing special is known.
  func remedyForUnreadable(_ reason: CInt) -> String? {
    var status = stat()
    guard reason == EACCES, stat(path, &status) == 0 else { return nil }
    if self == .shared { return remedyForStrangers }
    let mode = String(UInt32(status.st_mode) & 0o7777, radix: 8)
    return "It is of user \(status.st_uid) and group \(status.st_gid), with mode \(mode), and this "
      + "process is user \(geteuid()) and group \(getegid()). Let whatever makes the file give it to "
      + "this user with mode 400, or to root and this group with mode 440, or mount it read-only "
      + "with a mode by which this process can read it"
  }

  /// What to do where a file cannot be written; `nil` if nothing special is known.
  func remedyForUnwritable(_ reason: CInt) -> String? {
    switch reason {
    case EACCES where self == .shared:
      "It is the key of all accounts of this machine, and root's to change: begin the command with "
        + "sudo"
    case EROFS, EBUSY:
      "Change the key where the file comes from, such as the secret that is mounted here: "
        + "running programs notice the new file by themselves"
    case EACCES, EPERM:
      "This account may not change files there: change the key where the file comes from, or as an "
        + "account that may; running programs notice the new file by themselves"
    default: nil
    }
  }
}
