import Foundation

/// What tells whether two processes have opened the same file, and whether it has changed since.
package struct FileStamp: Codable, Hashable, Sendable {
  /// The running kernel that numbers the devices; `nil` where it is not known.
  package var machine: String?
  package var device: UInt64
  package var inode: UInt64
  /// The type of a file system that several machines share, and that numbers its files for all of
  /// them; `nil` for any other.
  package var sharedSystem: Int?
  package var size: Int
  /// The modification time, in nanoseconds since 1970.
  package var modified: Int

  package init(
    machine: String?, device: UInt64, inode: UInt64, sharedSystem: Int? = nil, size: Int,
    modified: Int
  ) {
    (self.machine, self.device, self.inode) = (machine, device, inode)
    (self.sharedSystem, self.size, self.modified) = (sharedSystem, size, modified)
  }

  init(_ status: stat, descriptor: CInt) {
    self.init(
      machine: Self.machine, device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino),
      sharedSystem: Self.sharedSystem(descriptor), size: Int(status.st_size),
      modified: status.modified)
  }

  /// Whether both stamps are of one file, whatever has become of it between them.
  ///
  /// A file's number says which file it is only on one device of one machine, or on a file system
  /// that machines share.
  package func isSameFile(as other: FileStamp) -> Bool {
    guard inode == other.inode else { return false }
    if let machine, machine == other.machine, device == other.device { return true }
    return sharedSystem != nil && sharedSystem == other.sharedSystem
  }

  /// A digest of the id that Linux draws for each boot.
  package static let machine: String? = {
    guard let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    else { return nil }
    var hash = ContentsHash()
    hash.add(boot.utf8)
    return hash.text
  }()

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

extension stat {
  /// The modification time, in nanoseconds since 1970.
  var modified: Int {
    #if canImport(Darwin)
      st_mtimespec.nanoseconds
    #else
      st_mtim.nanoseconds
    #endif
  }

  /// When the contents, the name or the permissions changed last, in nanoseconds since 1970. Unlike
  /// the modification time, nobody can set it.
  var changed: Int {
    #if canImport(Darwin)
      st_ctimespec.nanoseconds
    #else
      st_ctim.nanoseconds
    #endif
  }
}

extension timespec {
  fileprivate var nanoseconds: Int { Int(tv_sec) &* 1_000_000_000 &+ Int(tv_nsec) }
}
