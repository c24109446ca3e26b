import Foundation

/// Folders of programs of which every process was killed that would have removed them.
///
/// The keepers of a folder have locked it (``OpenFolder/shareLock()``), and the kernel ends a lock with its process. So
/// who gets a folder's lock may remove it. Locks hold within a machine alone, at least on some file systems that several
/// share: a folder of another machine has another name.
enum LeftFolders {
  /// What the names of all folders of this machine begin with, until it is started again.
  static var prefix: String { "skynet-\(machine ?? "")-" }

  /// Removes those of this account in a folder. What is mounted or immutable in them stays.
  static func remove(in folder: String) {
    guard machine != nil, let folder = OpenFolder(path: folder) else { return }
    for name in folder.names where name.hasPrefix(prefix) {
      guard let left = folder.own(name), left.lock() else { continue }
      left.empty()
      folder.removeFolder(name)
    }
  }

  /// Names the machine's run since it was started; `nil` if the machine does not tell.
  private static let machine: String? =
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))
    .map { String($0.filter(\.isHexDigit).prefix(12)) }
}
