import Foundation

/// The file by which the accounts of a machine share one key.
///
/// It is root's, and readable by a group: who is in the group is a member, and only root changes the key.
extension KeyFile {
  static let sharedDirectory = "/etc/skynet"

  /// The machine's shared file, which not every machine has.
  package static let shared = KeyFile(path: sharedDirectory + "/cluster.key")

  /// The group that the Debian package makes for ``shared``.
  package static let sharingGroup = "skynet"

  package enum Access: Hashable, Sendable {
    case missing
    /// The file is there, but not for this account.
    case denied
    case readable
  }

  /// What this process may do with the file.
  package var access: Access {
    if faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 { return .readable }
    return errno == EACCES ? .denied : .missing
  }

  /// Gives the file to root and a group, which may read it. If there is no file, it gets these keys.
  ///
  /// - Returns: the keys that are in the file.
  /// - Throws: ``KeyError``; the file is then as it was, or root's alone.
  @discardableResult
  package func share(
    with group: String = sharingGroup, keys: () throws -> ClusterKeys
  ) throws -> ClusterKeys {
    guard geteuid() == 0 else {
      throw KeyError(
        .inaccessible, "only root can share a key with a group: begin the command with sudo")
    }
    guard let entry = getgrnam(group)?.pointee else {
      throw KeyError(
        .inaccessible, "there is no group \(group) here: `addgroup --system \(group)` makes it")
    }
    if access == .missing {
      try makeSharedDirectory()
      try replace(with: try keys())
    }
    let held = try readAll()
    guard chown(path, 0, entry.gr_gid) == 0, chmod(path, 0o640) == 0 else {
      throw KeyError.inaccessible(path, "shared", Self.words(errno))
    }
    return held
  }

  /// Others may look into the directory: whether there is a file is no secret.
  private func makeSharedDirectory() throws {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard mkdir(directory, 0o755) == 0 || errno == EEXIST else {
      throw KeyError.inaccessible(directory, "made", Self.words(errno))
    }
  }

  /// Before `draft` takes the place of a file that root has shared with a group: shares it in the same way.
  func keepSharing(of target: String, by draft: CInt) throws {
    var status = stat()
    guard geteuid() == 0, stat(target, &status) == 0 else { return }
    let mode = UInt32(status.st_mode) & 0o7777
    guard mode & 0o040 != 0, isShared(mode, status) else { return }
    guard fchown(draft, 0, status.st_gid) == 0, fchmod(draft, status.st_mode & 0o7777) == 0 else {
      throw KeyError.inaccessible(path, "shared with its group again", Self.words(errno))
    }
  }

  /// What an account does that the file is not shared with; `nil` if it is, or if there is no such file.
  package var remedyForStrangers: String? {
    guard access == .denied else { return nil }
    var status = stat()
    let group = stat(path, &status) == 0 ? getgrgid(status.st_gid)?.pointee.gr_name : nil
    let name = group.map { String(cString: $0) } ?? Self.sharingGroup
    return
      "To share the key of this machine's node, be in its group: `sudo adduser $USER \(name)`, then log in again"
  }
}
