// What this file codes is frozen by the version of `SourceScan.kind`.

import Foundation
package import SkyFiles

/// What tells whether two processes, also of two machines, have opened the same file, and the same
/// version of it.
package struct FileStamp: Codable, Hashable, Sendable {
  /// The running kernel that numbers the devices; `nil` where it is not known.
  package var machine: String?
  /// The type of a file system that several machines share, and that numbers its files for all of
  /// them; `nil` for any other.
  package var sharedSystem: Int?
  package var state: FileState

  package init(machine: String?, sharedSystem: Int? = nil, state: FileState) {
    (self.machine, self.sharedSystem, self.state) = (machine, sharedSystem, state)
  }

  init(_ status: stat, descriptor: CInt) {
    self.init(
      machine: Machine.id, sharedSystem: Self.sharedSystem(descriptor), state: FileState(status))
  }

  /// Whether both stamps are of one file, whatever has become of it between them.
  ///
  /// A file's number says which file it is only on one device of one machine, or on a file system
  /// that machines share.
  package func isSameFile(as other: FileStamp) -> Bool {
    guard state.inode == other.state.inode else { return false }
    if let machine, machine == other.machine, state.isSameFile(as: other.state) { return true }
    return sharedSystem != nil && sharedSystem == other.sharedSystem
  }

  /// Whether both stamps are of one file, which has changed between them.
  package func isOtherVersion(of other: FileStamp) -> Bool {
    isSameFile(as: other) && state.version != other.state.version
  }

  /// The types of file systems with a server that numbers the files: NFS, SMB (2), Ceph, AFS,
  /// Lustre, GPFS, BeeGFS.
  private static let sharedSystems: Set<Int> = [
    0x6969, 0xff53_4d42, 0xfe53_4d42, 0x00c3_6400, 0x5346_414f, 0x0bd0_0bd0, 0x4750_4653,
    0x1983_0326,
  ]

  private static func sharedSystem(_ descriptor: CInt) -> Int? {
    let type = FileSystemCalls.fileSystem(of: descriptor)
    return sharedSystems.contains(type) ? type : nil
  }
}
