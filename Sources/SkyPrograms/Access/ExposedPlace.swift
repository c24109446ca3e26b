import Foundation
import SkyFiles

/// A file, or a folder or link that leads to it, that other accounts may write: they choose what runs under its name.
package struct ExposedPlace: Hashable, Sendable {
  package let path: String
  /// Its account, if that is neither this one nor root; `nil` if its mode lets others write.
  package let owner: UInt32?

  /// The first such place on the way from the root to a program.
  ///
  /// - Returns: `nil` if there is none, or the way ends.
  package static func first(onTheWayTo program: String) -> ExposedPlace? {
    var rest = Array(AbsolutePath.of(program).pathNames().reversed())
    var (path, links) = ("", 0)
    if let root = ExposedPlace("/") { return root }
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        path = SplitPath.split(path).folder.flatMap { $0 == "/" ? "" : $0 } ?? ""
        continue
      }
      let place = "\(path)/\(name)"
      if let exposed = ExposedPlace(place) { return exposed }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else {
        path = place
        continue
      }
      links += 1
      // As many as the kernel follows.
      guard links <= 40 else { return nil }
      if target.isAbsolutePath { path = "" }
      rest += target.pathNames().reversed()
    }
    return nil
  }

  /// - Returns: `nil` if nobody but this account and root can write there, or nothing is there.
  private init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.path = path
    guard [0, geteuid()].contains(status.st_uid) else {
      owner = status.st_uid
      return
    }
    owner = nil
    // A link's mode says nothing. In a sticky folder, accounts replace only what is their own.
    let isWritable = status.st_mode & 0o022 != 0 && status.st_mode & S_IFMT != S_IFLNK
    guard isWritable, status.st_mode & S_IFMT != S_IFDIR || status.st_mode & S_ISVTX == 0 else {
      return nil
    }
  }
}
