import Foundation
import SkyNetCore

/// A file that holds a cluster's key, and that only its owner can read and write, or that a secret mount made.
///
/// While the cluster's key is changed, the file holds several keys, one on a line, newest first.
public struct KeyFile: Hashable, Sendable {
  /// Where the file is.
  public let path: String

  /// Names a file, which need not exist yet.
  public init(path: String) {
    self.path = path
  }

  /// A file with more bytes than this does not hold a key.
  private static let maximumBytes = 4096

  /// Reads the key; of several, the newest.
  ///
  /// - Throws: ``KeyError``: `notFound`, `open`, `inaccessible` or `notAKey`.
  public func read() throws -> ClusterKey { try readAll().newest }

  /// Reads the keys.
  ///
  /// - Parameter credentials: the directory of systemd's credentials, if there is one. It is looked up only
  ///   for a file that others can read, as running processes read their file again and again.
  /// - Throws: ``KeyError``: `notFound`, `open`, `inaccessible` or `notAKey`.
  package func readAll(
    credentials: @autoclosure () -> String? =
      ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
  ) throws -> ClusterKeys {
    let file = try opened()
    try check(file, credentials: credentials)
    return try keys(in: file)
  }

  private func keys(in file: FileHandle) throws -> ClusterKeys {
    do {
      return try ClusterKeys(text: String(decoding: try content(of: file), as: UTF8.self))
    } catch let error as KeyError where error.code == .notAKey {
      throw KeyError(error.code, "\(path): \(error)")
    }
  }

  /// Reads the keys, even if others can.
  ///
  /// - Throws: ``KeyError``: `notFound`, `inaccessible` or `notAKey`.
  func readUnchecked() throws -> ClusterKeys { try keys(in: try opened()) }

  /// Reads the keys, or makes the file with a new key.
  ///
  /// Processes that call this at the same time agree on one key: the file appears as a whole, and only one of
  /// them makes it.
  ///
  /// - Returns: the keys, and whether they are new.
  /// - Throws: ``KeyError``.
  package func readOrMake() throws -> (keys: ClusterKeys, isNew: Bool) {
    do {
      return (try readAll(), false)
    } catch let error as KeyError where error.code == .notFound {
      let keys = ClusterKeys(ClusterKey())
      return try put(keys, replacing: false) ? (keys, true) : (try readAll(), false)
    }
  }

  /// Puts these keys into the file. The file's former content, unless these keys have all of it, is kept beside
  /// it, in a file with the suffix `.old`. Of a symbolic link, the file that it leads to is replaced.
  ///
  /// - Returns: the file with the former content, if it was kept.
  /// - Throws: ``KeyError``; the file is then as it was.
  @discardableResult
  package func replace(with keys: ClusterKeys) throws -> KeyFile? {
    // First of all, so that a place where nothing can be written is named as it is, and not by `.old`.
    try checkReplaceable()
    let former = try formerContent()
    let held = try? ClusterKeys(text: String(decoding: former, as: UTF8.self))
    // What was kept before is not lost for keys that this file has anyway.
    let isHeldAnyway = held.map { $0.all.allSatisfy(keys.all.contains) } ?? former.isEmpty
    let old = isHeldAnyway ? nil : KeyFile(path: path + ".old")
    try old?.put(former, replacing: true)
    try put(keys, replacing: true)
    return old
  }

  /// Checks that ``replace(with:)`` can write here, without a change of the file.
  ///
  /// - Throws: ``KeyError``.
  package func checkReplaceable() throws {
    _ = try formerContent()
    let target = linkTarget
    try makeDirectory(Self.directory(of: target))
    let (draft, descriptor) = try makeDraft(beside: target)
    close(descriptor)
    unlink(draft)
  }

  // MARK: Inside

  private func opened() throws -> FileHandle {
    // Non-blocking, as opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let reason = errno
      guard reason != ENOENT else {
        throw KeyError(
          .notFound,
          "there is no key file \(path): `\(ProgramName.text) key new --key-file '\(path)'` makes one"
        )
      }
      throw KeyError.inaccessible(
        path, "read", Self.words(reason), remedy: remedyForUnreadable(reason))
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard try status(of: file).st_mode & S_IFMT == S_IFREG else {
      throw KeyError.inaccessible(path, "read", "it is no file")
    }
    return file
  }

  func status(of file: FileHandle) throws -> stat {
    var status = stat()
    guard fstat(file.fileDescriptor, &status) == 0 else {
      throw KeyError.inaccessible(path, "read", Self.words(errno))
    }
    return status
  }

  private func content(of file: FileHandle) throws -> Data {
    let content: Data
    do {
      content = try file.read(upToCount: Self.maximumBytes + 1) ?? Data()
    } catch {
      throw KeyError.inaccessible(path, "read", "\(error)")
    }
    guard content.count <= Self.maximumBytes else { throw KeyError.notAKey("it is too long") }
    return content
  }

  /// The file's content, whatever its permissions; empty if there is no file.
  private func formerContent() throws -> Data {
    do {
      return try content(of: try opened())
    } catch let error as KeyError where error.code == .notFound {
      return Data()
    } catch let error as KeyError where error.code == .notAKey {
      throw KeyError(error.code, "\(path) is not replaced: \(error)")
    }
  }

  @discardableResult
  private func put(_ keys: ClusterKeys, replacing: Bool) throws -> Bool {
    try put(Data(keys.fileText.utf8), replacing: replacing)
  }

  /// Writes the file as a whole, for its owner alone, or for the group with which root has shared it.
  ///
  /// - Returns: `false` if the file exists already and is not to be replaced.
  @discardableResult
  private func put(_ content: Data, replacing: Bool) throws -> Bool {
    let target = linkTarget
    try makeDirectory(Self.directory(of: target))
    // The content is written to another file first, so that every reader reads a whole key.
    let (draft, descriptor) = try makeDraft(beside: target)
    defer {
      close(descriptor)
      unlink(draft)
    }
    if replacing { try keepSharing(of: target, by: descriptor) }
    let written = content.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == content.count, fsync(descriptor) == 0 else {
      throw KeyError.inaccessible(path, "written", Self.words(errno))
    }
    if replacing {
      guard rename(draft, target) == 0 else {
        throw unwritable("replaced", errno)
      }
      return true
    }
    // Unlike a rename, a link does not replace a file that another process has made meanwhile.
    if link(draft, target) == 0 { return true }
    guard errno == EEXIST else { throw unwritable("made", errno) }
    return false
  }

  /// Where the file is in truth, if its path is a symbolic link: writing there keeps the link. The file need not
  /// exist. A loop of links is returned as it is; opening it is an error.
  private var linkTarget: String {
    var target = path
    for _ in 0..<Self.mostLinks {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        return target
      }
      target = next.utf8.first == UInt8(ascii: "/") ? next : Self.directory(of: target) + "/" + next
    }
    return path
  }

  /// As many links as Linux follows for one path.
  private static let mostLinks = 40

  private static func directory(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// Makes an empty file beside another, for its owner alone.
  private func makeDraft(beside target: String) throws -> (path: String, descriptor: CInt) {
    let draft = target + "." + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritable("made", errno) }
    return (draft, descriptor)
  }

  private func unwritable(_ verb: String, _ reason: CInt) -> KeyError {
    KeyError.inaccessible(
      path, verb, Self.words(reason), remedy: remedyForUnwritable(reason))
  }

  private func makeDirectory(_ directory: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
      throw KeyError.inaccessible(
        directory, "made", reason.map { Self.words(CInt(($0 as NSError).code)) } ?? "\(error)")
    }
  }

  static func words(_ code: CInt) -> String { String(cString: strerror(code)).lowercased() }
}
