import Foundation
import SkyNetCore

/// The file by which the accounts of a machine share one key.
///
/// It is root's, and readable by a group: the group's accounts are members, and only root changes the key.
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

  /// Gives the file to root and a group, which may read it. If there is no file, it gets these keys. A file that
  /// others could use is theirs no longer; its keys stay.
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
    let held = try readUnchecked()
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

  /// What an account does that may not read the file; `nil` if it may, or if there is no such file.
  package var remedyForStrangers: String? {
    guard access == .denied else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == 0, status.st_gid != 0,
      status.st_mode & 0o040 != 0,
      let group = Self.name(ofGroup: status.st_gid)
    else { return Self.remedy(group: nil, isMember: false) }
    return Self.remedy(group: group, isMember: Self.groupsFromNextLogin.contains(status.st_gid))
  }

  /// - Parameters:
  ///   - group: the group that root has shared the file with; `nil` if there is none.
  ///   - isMember: whether the account is in the group, but this process, which began before, is not.
  package static func remedy(group: String?, isMember: Bool) -> String {
    guard let group else {
      return
        "Root has not shared it with a group yet: `sudo \(ProgramName.text) key share`, then `sudo adduser $USER "
        + "\(sharingGroup)`, then log in again"
    }
    guard !isMember else {
      return
        "This account is in its group, \(group), but was not yet when it logged in: log in again"
    }
    return
      "To share the key of this machine's node, be in its group: `sudo adduser $USER \(group)`, then log in again"
  }

  /// The command by which root gives a file back to the group that shares it.
  ///
  /// - Parameter group: that group; 0 if it is not known.
  package static func sharingCommand(group: UInt32) -> String {
    guard group != 0, let name = name(ofGroup: group), name != sharingGroup else {
      return "sudo \(ProgramName.text) key share"
    }
    return "sudo \(ProgramName.text) key share --group \(name)"
  }

  private static func name(ofGroup group: UInt32) -> String? {
    getgrgid(group)?.pointee.gr_name.map { String(cString: $0) }
  }

  /// The groups that this account has from its next login on.
  private static var groupsFromNextLogin: [gid_t] {
    guard let account = getpwuid(geteuid())?.pointee else { return [] }
    var groups = [gid_t](repeating: 0, count: 1024)
    var count = CInt(groups.count)
    guard getgrouplist(account.pw_name, account.pw_gid, &groups, &count) >= 0 else { return [] }
    return Array(groups.prefix(Int(count)))
  }
}
