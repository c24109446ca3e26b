package import Foundation

/// A file for a catalogue, a picture or a batch's document. It is checked before the scan starts
/// that the file can be written, and after the scan the file is either complete or unchanged.
package struct OutputFile: Sendable {
  package let path: String

  /// Checks that the file can be written. An existing file stays unchanged. What a process left
  /// that was killed while it wrote the file is removed.
  ///
  /// - Throws: ``OutputFileError``.
  package init(path: String) throws {
    self.path = path
    guard !path.isEmpty else { throw failure("cannot be written", ENOENT) }
    switch try kind() {
    case .directory:
      throw OutputFileError(path: path, fault: "is a directory; give a file's name in it")
    case .device:
      guard access(path, W_OK) == 0 else { throw failure("cannot be written", errno) }
    case .file, .absent:
      // Only creating a file tells whether one can be created: permissions, quotas and read-only
      // disks may prevent it.
      let (temporary, descriptor) = try makeTemporary()
      // Unlinked while it is locked: no other process removes it, and then another file under its name.
      unlink(temporary)
      close(descriptor)
      var partial = PartialFiles()
      partial.removeLeft(of: self)
    }
  }

  /// Writes the contents to a temporary file beside the target, and renames it to the target when
  /// it is complete and on disk. The file keeps the permissions of the file that it replaces. A
  /// device or a pipe is written directly.
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

  private enum Kind { case absent, file, directory, device }

  private func kind() throws -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = errno
      guard reason == ENOENT else { throw failure("cannot be written", reason) }
      return .absent
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // To replace a file takes no permission to write it, only to write its directory.
      guard access(path, W_OK) == 0 else {
        throw failure(
          "is there and cannot be written", errno,
          nextStep: "remove it, or give another file's name")
      }
      return .file
    case S_IFDIR: return .directory
    default: return .device
    }
  }

  /// The file that a symbolic link leads to, so that the link itself is not replaced.
  var target: String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A file that is being written. It is open, and so locked, until it has its name.
  private struct Writing {
    let descriptor: CInt
    /// The temporary file; `nil` if a device is written directly.
    var temporary: String?
  }

  private func begin() throws -> Writing {
    if try kind() == .device {
      let descriptor = NamedPipe.mayWait(for: path) { open(path, O_WRONLY) }
      guard descriptor >= 0 else { throw failure("cannot be written", errno) }
      return Writing(descriptor: descriptor)
    }
    let (temporary, descriptor) = try makeTemporary()
    // A file that others may not read stays private, also while it is written.
    var former = stat()
    if stat(target, &former) == 0 { fchmod(descriptor, former.st_mode & 0o777) }
    return Writing(descriptor: descriptor, temporary: temporary)
  }

  private func append(_ contents: Data, to writing: Writing) throws {
    try NamedPipe.mayWait(for: writing.temporary ?? path) {
      try write(contents, to: writing.descriptor)
    }
  }

  private func write(_ contents: Data, to descriptor: CInt) throws {
    var bytes = contents
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be written", errno) }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Brings the file to disk, and gives it its name.
  private func complete(_ writing: Writing, syncs: Bool = true) throws {
    if let temporary = writing.temporary {
      guard !syncs || fsync(writing.descriptor) == 0 else {
        throw failure("cannot be brought to disk", errno)
      }
      guard rename(temporary, target) == 0 else { throw failure("cannot be replaced", errno) }
    }
    close(writing.descriptor)
  }

  /// Makes the names of files survive a power cut, as their contents do once they are complete. Each folder is synced
  /// once.
  ///
  /// - Throws: ``OutputFileError``.
  package static func syncFolders(of files: [OutputFile]) throws {
    var folders: Set<String> = []
    for file in files {
      let folder = URL(fileURLWithPath: file.target).deletingLastPathComponent().path
      if folders.insert(folder).inserted { try file.sync(folder) }
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
    if let temporary = writing.temporary { unlink(temporary) }
    close(writing.descriptor)
  }

  private func makeTemporary() throws -> (path: String, descriptor: CInt) {
    guard let file = PartialFiles.make(for: target) else {
      throw failure("cannot be written", errno)
    }
    return file
  }

  private func failure(
    _ what: String, _ reason: CInt,
    nextStep: String = "check that its directory exists and may be written"
  ) -> OutputFileError {
    let words = String(cString: strerror(reason))
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

  static let ofDisk = [ENOSPC, EDQUOT, EROFS, EIO, ENOMEM, EMFILE, ENFILE]

  package var description: String { "\(path): \(fault)" }
}
