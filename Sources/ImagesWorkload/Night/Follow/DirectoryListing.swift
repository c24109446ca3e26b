import Foundation
import SkyFiles
import SkyNetCommand

/// The frames' names in a directory, in order: first those of files, then those of symbolic links, as a
/// link such as `latest.fits` is another name of a frame.
struct DirectoryListing {
  let identity: FileLocation.FileNumber
  private(set) var names: [ExactText] = []
  /// Names that are no UTF-8, as ``OddName`` shows them: their files cannot be opened by them.
  private(set) var oddNames: Set<ExactText> = []

  /// Lists a directory. Blocks the thread.
  ///
  /// - Throws: ``FollowError``.
  init(_ path: String) throws(FollowError) {
    guard let directory = opendir(path) else {
      let reason = errno
      throw FollowError(
        path: path,
        fault: reason == ENOTDIR
          ? "is no directory; --follow needs one"
          : "cannot be listed (\(String(cString: strerror(reason))))")
    }
    defer { closedir(directory) }
    var status = stat()
    fstat(dirfd(directory), &status)
    identity = .init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    var links: [ExactText] = []
    while let entry = readdir(directory) {
      let bytes = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { name in
          Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
        }
      }
      let shown = ExactText(OddName.text(bytes))
      guard FrameName.isFrame(shown.text) else { continue }
      if String(validating: bytes, as: UTF8.self) == nil {
        oddNames.insert(shown)
      } else if Int(entry.pointee.d_type) == Int(DT_LNK) {
        links.append(shown)
      } else {
        names.append(shown)
      }
    }
    names = names.sorted() + links.sorted()
  }
}

/// Why a directory cannot be followed, or not any longer.
struct FollowError: Error, Hashable, CustomStringConvertible {
  let path: String
  /// The rest of a sentence that begins with the path.
  let fault: String

  var description: String { "\(path): the followed directory \(fault)" }
}
