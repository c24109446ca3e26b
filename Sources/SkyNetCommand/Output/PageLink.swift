import Foundation
import SkyFiles

/// A file of this account alone that leads a browser to a page. Every account of the machine sees the arguments with
/// which a browser is started, so the page's address, which has its token, is none of them.
struct PageLink {
  let path: String
  private let folder: String

  /// Makes the file, in a folder of its own.
  ///
  /// - Returns: `nil` if no folder can be made.
  init?(to address: String) {
    // A browser in a sandbox, such as that of a snap, reads neither hidden folders nor those for temporary files.
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    let folders = (home.isAbsolutePath ? [home] : []) + [NSTemporaryDirectory()]
    var made: String?
    for folder in folders where made == nil { made = Self.makeFolder(in: folder) }
    guard let folder = made else { return nil }
    self.folder = folder
    path = folder + "/page.html"
    let isMade = FileManager.default.createFile(
      atPath: path, contents: Data(Self.text(address).utf8), attributes: [.posixPermissions: 0o600])
    guard isMade else {
      remove()
      return nil
    }
  }

  func remove() {
    unlink(path)
    rmdir(folder)
  }

  /// Makes a folder with mode 0700, under a name that no file has.
  private static func makeFolder(in folder: String) -> String? {
    var name = Array("\(folder)/\(Program.name)-page-XXXXXX".utf8CString)
    return mkdtemp(&name).map { String(cString: $0) }
  }

  private static func text(_ address: String) -> String {
    """
    <!DOCTYPE html>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0; url=\(address)">
    <title>\(Program.name)</title>
    <a href="\(address)">The page</a>

    """
  }
}
