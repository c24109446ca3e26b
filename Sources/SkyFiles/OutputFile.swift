package import Foundation

/// A file for a catalogue, a picture or a batch's document. It is checked before the scan starts
/// that the file can be written, and after the scan the file is either complete or unchanged.
///
/// The path may lead to the file by symbolic links, which stay as they are. The name of an open descriptor, such as
/// `/dev/stdout`, means that descriptor, and `-` means standard output: it gets the contents behind what others have
/// written to it.
package struct OutputFile: Sendable {
  package let path: String

  /// Checks that the file can be written. An existing file stays unchanged. What a process left
  /// that was killed while it wrote the file is removed.
  ///
  /// - Parameters:
  ///   - isFolderTried: whether another file could be made in the same folder, so that none is made to see it.
  ///   - removeLeft: removes that. Who has many outputs keeps one ``PartialFiles`` for all.
  /// - Throws: ``OutputFileError``.
  package init(
    path: String, isFolderTried: Bool = false,
    removeLeft: (OutputFile) -> Void = {
      var partial = PartialFiles()
      partial.removeLeft(of: $0)
    }
  ) throws {
    self.path = path
    guard !path.isEmpty else { throw failure("cannot be written", ENOENT) }
    switch try kind() {
    case .directory: throw directory
    case .device:
      guard access(path, W_OK) == 0 else { throw failure("cannot be written", errno) }
    case .descriptor: break
    case .file(let target), .absent(let target):
      if !isFolderTried {
        // Only creating a file tells whether one can be created: permissions, quotas and read-only
        // disks may prevent it.
        let (temporary, descriptor) = try makeTemporary(for: target)
        // Unlinked while it is locked: no other process removes it, and then another file under its name.
        unlink(temporary)
        close(descriptor)
      }
      removeLeft(self)
    }
  }

  /// Writes the contents to a temporary file beside the target, and renames it to the target when
  /// it is complete and on disk. The file keeps the permissions of the file that it replaces. A
  /// device, a pipe or an open descriptor is written directly.
  ///
  /// - Parameter syncs: whether to wait until the contents are on disk. If not, a power cut may leave the file empty
  ///   until ``syncAll()`` has returned.
  /// - Throws: ``OutputFileError``; the existing file is unchanged then.
  package func write(_ contents: Data, syncs: Bool = true) throws {
    let begun = try begin()
    do {
      try append(contents, to: begun)
      try complete(begun, syncs: syncs)
    } catch {
      abandon(begun)
      throw error
    }
  }

  /// Does the same with contents that come in parts.
  ///
  /// - Parameter body: appends the parts. The file is complete when it returns.
  /// - Throws: ``OutputFileError``, or what `body` throws; the existing file is unchanged then.
  package func write(_ body: (_ append: @escaping (Data) throws -> Void) async throws -> Void)
    async throws
  {
    let begun = try begin()
    do {
      try await body { try append($0, to: begun) }
      try complete(begun)
    } catch {
      abandon(begun)
      throw error
    }
  }

  /// A file that is not checked before it is written.
  package init(unchecked path: String) { self.path = path }

  /// What an output leads to. A target is where symbolic links lead, so that they are not replaced.
  private enum Kind {
    case absent(target: String)
    case file(target: String)
    case directory, device
    case descriptor(CInt)
  }

  private func kind() throws -> Kind {
    guard !OddName.isOne(path) else {
      throw OutputFileError(
        path: path, fault: "\(OddName.fault), which no output can have; give another name")
    }
    let target: String
    switch LinkEnd(output: path) {
    case .descriptor(let descriptor):
      guard LinkEnd.isOutput(descriptor) else {
        throw failure(
          "cannot be written", EBADF, nextStep: "open it in the shell, as 3>FILE does for /dev/fd/3"
        )
      }
      return .descriptor(descriptor)
    case .path(let path): target = path
    }
    var (status, end) = (stat(), stat())
    guard stat(path, &status) == 0 else {
      let reason = errno
      guard reason == ENOENT else { throw failure("cannot be written", reason) }
      guard lstat(target, &end) != 0 else { throw misled }
      return .absent(target: target)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard lstat(target, &end) == 0, (status.st_dev, status.st_ino) == (end.st_dev, end.st_ino)
      else { throw misled }
      // To replace a file takes no permission to write it, only to write its directory.
      guard access(path, W_OK) == 0 else {
        throw failure(
          "is there and cannot be written", errno,
          nextStep: "give another file's name, or permission to write this one")
      }
      return .file(target: target)
    case S_IFDIR: return .directory
    default: return .device
    }
  }

  private var directory: OutputFileError {
    OutputFileError(path: path, fault: "is a directory; give a file's name in it")
  }

  /// What is there is known, but not the name to replace it by.
  private var misled: OutputFileError {
    OutputFileError(
      path: path,
      fault:
        "is a link to a file that has no name any more, or none in UTF-8; give a file's own name")
  }

  private var isDescriptor: Bool {
    if case .descriptor = LinkEnd(output: path) { true } else { false }
  }

  /// A file that is being written. It is open, and so locked, until it has its name.
  private struct Writing {
    let descriptor: CInt
    /// The temporary file, and what it becomes; `nil` if a device or a descriptor is written directly.
    var file: (temporary: String, target: String)?
    /// Whether the descriptor was opened for this writing.
    var isOwn = true
  }

  private func begin() throws -> Writing {
    switch try kind() {
    case .device:
      let descriptor = NamedPipe.mayWait(for: path) { open(path, O_WRONLY | O_CLOEXEC) }
      guard descriptor >= 0 else { throw failure("cannot be written", errno) }
      return Writing(descriptor: descriptor)
    case .descriptor(let descriptor): return Writing(descriptor: descriptor, isOwn: false)
    case .directory: throw directory
    case .absent(let target):
      let (temporary, descriptor) = try makeTemporary(for: target)
      return Writing(descriptor: descriptor, file: (temporary, target))
    case .file(let target):
      let (temporary, descriptor) = try makeTemporary(for: target)
      // A file that others may not read stays private, also while it is written.
      var former = stat()
      if stat(target, &former) == 0 { fchmod(descriptor, former.st_mode & 0o777) }
      return Writing(descriptor: descriptor, file: (temporary, target))
    }
  }

  /// As many bytes as a pipe holds.
  private static let part = 1 << 16

  private func append(_ contents: Data, to writing: Writing) throws {
    guard writing.file == nil else { return try write(contents, to: writing.descriptor) }
    // Each part that is taken shows that a pipe's reader is there.
    var rest = contents[...]
    while !rest.isEmpty {
      try NamedPipe.mayWait(for: path) {
        try write(rest.prefix(Self.part), to: writing.descriptor)
      }
      rest = rest.dropFirst(Self.part)
    }
  }

  private func write(_ contents: Data, to descriptor: CInt) throws {
    guard let reason = contents.withUnsafeBytes({ WholeWrite.write($0, to: descriptor) }) else {
      return
    }
    throw failure("cannot be written", reason)
  }

  /// Brings the file to disk, and gives it its name.
  private func complete(_ writing: Writing, syncs: Bool = true) throws {
    if let (temporary, target) = writing.file {
      guard !syncs || fsync(writing.descriptor) == 0 else {
        throw failure("cannot be brought to disk", errno)
      }
      guard rename(temporary, target) == 0 else { throw failure("cannot be replaced", errno) }
    }
    if writing.isOwn { close(writing.descriptor) }
  }

  /// Makes the names of files survive a power cut, as their contents do once they are complete. Each folder is synced
  /// once.
  ///
  /// - Throws: ``OutputFileError``.
  package static func syncFolders(of files: [OutputFile]) throws {
    var folders: Set<ExactText> = []
    for file in files {
      guard case .path(let target) = LinkEnd(output: file.path) else { continue }
      let folder = SplitPath.split(target).folder ?? "."
      if folders.insert(ExactText(folder)).inserted { try file.sync(folder) }
    }
  }

  /// Brings all that this machine has written to disk: for many files this takes less than to sync each.
  package static func syncAll() { Foundation.sync() }

  private func sync(_ folder: String) throws {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot be brought to disk", errno) }
    defer { close(descriptor) }
    // EINVAL: a file system that cannot sync a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw failure("cannot be brought to disk", errno)
    }
  }

  /// Removes what was written. The existing file is unchanged.
  private func abandon(_ writing: Writing) {
    if let file = writing.file { unlink(file.temporary) }
    if writing.isOwn { close(writing.descriptor) }
  }

  private func makeTemporary(for target: String) throws -> (path: String, descriptor: CInt) {
    guard let file = PartialFiles.make(for: target) else {
      throw failure("cannot be written", errno)
    }
    return file
  }

  private func nextStep(_ reason: CInt) -> String {
    if isDescriptor { return "see that what reads it is there, and has room" }
    return FileIdentity.isDevice(path) && reason != ENOSPC
      ? "see that it may be written, or give a file's name"
      : OutputFileError.nextStep(after: reason)
  }

  private func failure(
    _ what: String, _ reason: CInt,
    nextStep: String? = nil
  ) -> OutputFileError {
    if reason == ELOOP {
      return OutputFileError(
        path: path, fault: "\(LinkEnd.loop); give another name", reason: reason)
    }
    let words = String(cString: strerror(reason))
    let nextStep = nextStep ?? self.nextStep(reason)
    return OutputFileError(path: path, fault: "\(what) (\(words)); \(nextStep)", reason: reason)
  }
}

/// Why a file cannot be written.
package struct OutputFileError: Error, Hashable, CustomStringConvertible {
  package let path: String
  /// The fault and the next step, as the rest of a sentence that begins with the path.
  package let fault: String
  /// The system's error, if there is one.
  private let reason: CInt?

  package init(path: String, fault: String, reason: CInt? = nil) {
    (self.path, self.fault, self.reason) = (path, fault, reason)
  }

  /// Whether nothing can be written there now, whatever the file's name is.
  package var isOfDisk: Bool { reason.map(Self.ofDisk.contains) ?? false }

  /// What may help, by the system's error.
  static func nextStep(after reason: CInt) -> String {
    switch reason {
    case ENOENT, ENOTDIR, EACCES, EPERM: "check that its directory exists and may be written"
    case ENOSPC, EDQUOT, EFBIG: "make room there, or give another file's name"
    case ENAMETOOLONG: "give a shorter name: most disks have names of at most 255 bytes"
    case EROFS: "its disk is read-only: write it elsewhere"
    case EMFILE, ENFILE: "see how many files this account may have open (ulimit -n)"
    default: "see whether its disk is well, or write it elsewhere"
    }
  }

  static let ofDisk = [ENOSPC, EDQUOT, EROFS, EIO, ENOMEM, EMFILE, ENFILE]

  package var description: String { "\(path == "-" ? "standard output" : path): \(fault)" }
}
