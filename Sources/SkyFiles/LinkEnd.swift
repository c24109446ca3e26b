import Foundation

/// What a path leads to, when each symbolic link is followed that it ends in. Nothing need be there.
///
/// An output is written there. The name of an open descriptor, such as `/dev/stdout`, looks like a link to the file that
/// is open; but whoever opens that file anew or replaces it loses what others have written to it.
package enum LinkEnd: Hashable {
  /// A descriptor that this process has by one of its names: `/dev/stdout`, `/dev/stderr`, `/dev/fd/3`,
  /// `/proc/self/fd/3`.
  case descriptor(CInt)
  /// The path of what is no link; or of a link that cannot be followed, as in a loop of links, and if its target is not
  /// UTF-8.
  case path(String)

  package init(_ path: String) {
    var path = path
    // As many links as Linux follows.
    for _ in 0..<40 {
      if let descriptor = Self.descriptor(path) {
        self = .descriptor(descriptor)
        return
      }
      guard let link = Self.target(of: path) else { break }
      let folder = link.isAbsolutePath ? nil : SplitPath.split(path).folder
      path = folder?.appendingName(link) ?? link
    }
    self = .path(path)
  }

  /// What an output's name leads to: `-` is standard output.
  package init(output: String) {
    self = output == "-" ? .descriptor(STDOUT_FILENO) : LinkEnd(output)
  }

  /// What a path leads into that no file or folder can be made by.
  package static let loop = "leads into a loop of links"

  /// What is wrong with a link to what is not there, as the rest of a sentence that begins with its path, and the next
  /// step, if there is one; `nil` of any other path.
  package static func fault(of path: String) -> (fault: String, nextStep: String?)? {
    var status = stat()
    guard stat(path, &status) != 0 else { return nil }
    let reason = errno
    if reason == ELOOP { return (loop, nil) }
    guard reason == ENOENT, lstat(path, &status) == 0, case .path(let end) = LinkEnd(path) else {
      return nil
    }
    return ("is a link to \(end), which is not there", "make that")
  }

  /// The number in a descriptor's name.
  private static func descriptor(_ path: String) -> CInt? {
    let (folder, name) = SplitPath.split(path)
    guard name.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = CInt(name), let folder = folder.flatMap({ FilePath.real($0)?.text })
    else { return nil }
    if folder == "/dev/fd" { return number }
    guard folder.hasSuffix("/fd"), let process = FilePath.real("/proc/self")?.text else {
      return nil
    }
    let isOwn =
      folder == process + "/fd"
      || folder.hasPrefix(process + "/task/")
    return isOwn ? number : nil
  }

  /// Whether the descriptor was there for writing when this process began. Those that it has opened since, such as its
  /// journal's, are closed when a program is executed, and are no outputs.
  package static func isOutput(_ descriptor: CInt) -> Bool {
    let mode = fcntl(descriptor, F_GETFL)
    return mode >= 0 && mode & O_ACCMODE != O_RDONLY
      && fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
  }

  /// - Returns: `nil` if there is no link, or its target is not UTF-8.
  private static func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = readlink(link, buffer.baseAddress!, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(
        validating: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]),
        as: UTF8.self)
    }
  }
}
