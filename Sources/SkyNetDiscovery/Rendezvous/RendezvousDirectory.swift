import Foundation
import SkyNetCore

/// The files of a rendezvous directory. All functions block: the directory may be on a file server.
struct RendezvousDirectory: Sendable {
  /// What was read of a directory.
  struct Content {
    var entries: [RendezvousView.Seen] = []
    /// Files that are no entries, with the reason.
    var skipped: [(name: String, reason: String)] = []
  }

  /// Entries beyond this many are left out.
  private static let mostFiles = 16_384
  /// So many names of a draft are tried.
  private static let mostDrafts = 4

  let path: String

  // MARK: Reading

  /// Reads all entries. Each file is opened, since NFS looks for changes only then.
  ///
  /// - Throws: ``RendezvousError`` if the directory cannot be read.
  func read() throws(RendezvousError) -> Content {
    var content = Content()
    for name in try names() where !name.hasPrefix(".") {
      guard let incarnation = RendezvousEntry.incarnation(ofFile: name) else {
        content.skipped.append((name, "its name is not that of a node's file"))
        continue
      }
      do throws(RendezvousEntry.Fault) {
        guard let file = try readFile(name) else { continue }
        content.entries.append(
          .init(entry: try RendezvousEntry(file.bytes, of: incarnation), written: file.written))
      } catch {
        content.skipped.append((name, error.description))
      }
    }
    return content
  }

  private func names() throws(RendezvousError) -> [String] {
    guard let directory = opendir(path) else { throw RendezvousError(path, errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < Self.mostFiles, let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The file's bytes, and when it was written; `nil` if it is gone by now.
  private func readFile(
    _ name: String
  ) throws(RendezvousEntry.Fault) -> (bytes: [UInt8], written: Double)? {
    // Opening a pipe must not wait for its writer, and a link must not lead elsewhere.
    let descriptor = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ESTALE { return nil }
      throw RendezvousEntry.Fault(description: String(cString: strerror(errno)).lowercased())
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw RendezvousEntry.Fault(description: "it is not a regular file")
    }
    guard status.st_size <= RendezvousEntry.mostBytes else {
      throw RendezvousEntry.Fault(
        description: "it has \(status.st_size) bytes, at most \(RendezvousEntry.mostBytes) are read"
      )
    }
    var bytes = [UInt8](repeating: 0, count: RendezvousEntry.mostBytes)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      if more < 0, errno == EINTR { continue }
      // A file that was replaced on the server while this side read it is read at the next time.
      if more < 0, errno == ESTALE { return nil }
      guard more >= 0 else {
        throw RendezvousEntry.Fault(description: String(cString: strerror(errno)).lowercased())
      }
      if more == 0 { break }
      count += more
    }
    return (Array(bytes.prefix(count)), status.written)
  }

  // MARK: Writing

  /// Writes a node's entry, so that others see either the former one or this one.
  ///
  /// - Returns: when it was written, by the file server's clock, in seconds.
  /// - Throws: ``RendezvousError``.
  func write(_ entry: RendezvousEntry) throws(RendezvousError) -> Double {
    let (temporary, descriptor) = try makeDraft(of: entry.incarnation)
    let place = "\(path)/\(RendezvousEntry.fileName(of: entry.incarnation))"
    let bytes = (try? entry.bytes) ?? []
    var status = stat()
    let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    var code = written == bytes.count ? 0 : written < 0 ? errno : ENOSPC
    // NFS reports a full disk only now.
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, rename(temporary, place) != 0 { code = errno }
    if code == 0, lstat(place, &status) != 0 { code = errno }
    guard code == 0 else {
      unlink(temporary)
      throw RendezvousError(path, code, isWriting: true)
    }
    return status.written
  }

  /// Makes the file in which a node's entry is written.
  private func makeDraft(
    of incarnation: Incarnation
  ) throws(RendezvousError) -> (place: String, descriptor: CInt) {
    for _ in 0..<Self.mostDrafts {
      let place = "\(path)/\(RendezvousEntry.temporaryName(of: incarnation))"
      let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
      if descriptor >= 0 { return (place, descriptor) }
      guard errno == EEXIST else { break }
    }
    throw RendezvousError(path, errno, isWriting: true)
  }

  /// Removes a node's entry, and its drafts that could not be removed before.
  func remove(_ incarnation: Incarnation) {
    unlink("\(path)/\(RendezvousEntry.fileName(of: incarnation))")
    for name in (try? names()) ?? []
    where RendezvousEntry.incarnation(ofTemporary: name) == incarnation { remove(file: name) }
  }

  // MARK: Old entries

  /// When the files of nodes were written, those of half-written entries included, by their names.
  func writingTimes() throws(RendezvousError) -> [String: Double] {
    var times: [String: Double] = [:]
    for name in try names() {
      let isNodes =
        RendezvousEntry.incarnation(ofFile: name) != nil
        || RendezvousEntry.incarnation(ofTemporary: name) != nil
      var status = stat()
      guard isNodes, lstat("\(path)/\(name)", &status) == 0 else { continue }
      times[name] = status.written
    }
    return times
  }

  /// Removes a file that ``writingTimes()`` named.
  func remove(file name: String) { unlink("\(path)/\(name)") }

  // MARK: Checking

  /// Checks that the directory is there and can be read, and written to if `isWriting`.
  ///
  /// - Throws: ``RendezvousError``.
  func check(isWriting: Bool) throws(RendezvousError) {
    _ = try names()
    // The file system may be read-only, and access lists may say otherwise than the mode's bits.
    if isWriting, access(path, W_OK | X_OK) != 0 {
      throw RendezvousError(path, errno, isWriting: true)
    }
  }
}

extension stat {
  /// When the file was last written, in seconds.
  fileprivate var written: Double {
    #if canImport(Darwin)
      Double(st_mtimespec.tv_sec) + Double(st_mtimespec.tv_nsec) / 1e9
    #else
      Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9
    #endif
  }
}
