import Foundation
import SkyFiles

/// The files that a process reads for others: regular FITS files below some directories, without
/// its own keys.
package struct DataDirectories: Sendable {
  /// The directories, as they were named and without symbolic links.
  private let directories: [FilePath]
  /// What is never read: files, and directories with all that is below them.
  private let ownFiles: [String]

  /// - Parameters:
  ///   - directories: the directories.
  ///   - ownFiles: files and directories that are never read, whether they exist or not.
  /// - Throws: ``FITSError`` if one of the directories does not exist, or if this process may not look into it.
  package init(_ directories: [String], ownFiles: [String]) throws {
    self.directories = try directories.flatMap { name in
      errno = 0
      guard let real = FilePath.real(name), Self.isDirectory(real.text),
        access(real.text, X_OK) == 0
      else { throw Self.unusable(name, errno) }
      return [real] + [FilePath(absolute: name)].compactMap { $0 }
    }
    self.ownFiles = ownFiles
  }

  private static func unusable(_ name: String, _ reason: CInt) -> FITSError {
    guard reason == EACCES else {
      return FITSError(
        .notFound, path: name, fault: "there is no such directory",
        nextStep: "name one that has images which this machine may read")
    }
    return FITSError(
      .notReadable, path: name, fault: "this process may not look into the directory",
      nextStep:
        "let its account do so, or name another one (the service skynet-node sees no home directories)"
    )
  }

  /// All files that this account can read, except for the own ones.
  package init(everythingExcept ownFiles: [String]) {
    directories = [FilePath.root]
    self.ownFiles = ownFiles
  }

  /// Opens a file for reading.
  ///
  /// - Parameter path: an absolute path; no symbolic link on it is followed.
  func open(_ path: String) throws(DataRefusal) -> InputFile {
    guard let path = FilePath(path), let directory = directories.first(where: path.isBelow) else {
      throw .outside
    }
    let root = Foundation.open(directory.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { throw .missing }
    defer { close(root) }
    let name = path.text(below: directory)
    // The first opening has no effects, whatever is there: a pipe or a device is never opened to
    // read from.
    let (place, kind) = try Self.open(name, below: root, FileSystemCalls.pathOnly | O_CLOEXEC)
    defer { close(place) }
    guard kind.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    let (file, status) = try Self.open(
      name, below: root, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    let input = InputFile(path: path.text, descriptor: file, status)
    guard (status.st_dev, status.st_ino) == (kind.st_dev, kind.st_ino),
      status.st_mode & S_IFMT == S_IFREG
    else { throw .changed }
    guard !isOwn(path, status) else { throw .ownKey }
    return input
  }

  private static func open(
    _ name: String, below root: CInt, _ flags: CInt
  ) throws(DataRefusal) -> (CInt, stat) {
    let descriptor = FileSystemCalls.open(name, beneath: root, flags: flags)
    var status = stat()
    guard descriptor >= 0 else { throw refusal(errno) }
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw .unreadable
    }
    return (descriptor, status)
  }

  private static func refusal(_ reason: CInt) -> DataRefusal {
    switch reason {
    case ELOOP: .symbolicLink
    case EXDEV: .outside
    case ENOENT, ENOTDIR, ENAMETOOLONG: .missing
    case ENXIO: .notRegular
    default: .unreadable
    }
  }

  /// Whether a file is an own one, by this path or by another name of it.
  private func isOwn(_ path: FilePath, _ file: stat) -> Bool {
    ownFiles.contains { own in
      var status = stat()
      if stat(own, &status) == 0, (status.st_dev, status.st_ino) == (file.st_dev, file.st_ino) {
        return true
      }
      return FilePath.real(own).map { path == $0 || path.isBelow($0) } ?? false
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
