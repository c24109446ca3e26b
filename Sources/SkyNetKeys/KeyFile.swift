import Foundation

/// A file that holds a cluster key, and that only its owner can read and write.
public struct KeyFile: Hashable, Sendable {
  /// Where the file is.
  public let path: String

  /// Names a file, which need not exist yet.
  public init(path: String) {
    self.path = path
  }

  /// A file with more bytes than this does not hold a key.
  private static let maximumBytes = 4096

  /// Reads the key.
  ///
  /// - Throws: ``KeyError``: `notFound`, `open`, `inaccessible` or `notAKey`.
  public func read() throws -> ClusterKey {
    let file = try opened()
    try check(file)
    do {
      return try ClusterKey(text: String(decoding: try content(of: file), as: UTF8.self))
    } catch let error as KeyError where error.code == .notAKey {
      throw KeyError(error.code, "\(path): \(error)")
    }
  }

  /// Reads the key, or makes the file with a new key.
  ///
  /// Processes that call this at the same time agree on one key: the file appears as a whole, and only one of
  /// them makes it.
  ///
  /// - Returns: the key, and whether it is new.
  /// - Throws: ``KeyError``.
  package func readOrMake() throws -> (key: ClusterKey, isNew: Bool) {
    do {
      return (try read(), false)
    } catch let error as KeyError where error.code == .notFound {
      let key = ClusterKey()
      return try put(key, replacing: false) ? (key, true) : (try read(), false)
    }
  }

  /// Puts this key into the file. The file's former content, unless it is the same key, is kept beside it, in
  /// a file with the suffix `.old`.
  ///
  /// - Returns: the file with the former content, if there was any.
  /// - Throws: ``KeyError``; the file is then as it was.
  package func replace(with key: ClusterKey) throws -> KeyFile? {
    let former = try formerContent()
    let isSame = (try? ClusterKey(text: String(decoding: former, as: UTF8.self))) == key
    let old = former.isEmpty || isSame ? nil : KeyFile(path: path + ".old")
    try old?.put(former, replacing: true)
    try put(key, replacing: true)
    return old
  }

  // MARK: Inside

  private func opened() throws -> FileHandle {
    // Non-blocking, as opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let reason = errno
      guard reason != ENOENT else {
        throw KeyError(
          .notFound, "there is no key file \(path): `skynet key new --key-file '\(path)'` makes one"
        )
      }
      throw KeyError.inaccessible(path, "read", Self.words(reason))
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard try status(of: file).st_mode & S_IFMT == S_IFREG else {
      throw KeyError.inaccessible(path, "read", "it is no file")
    }
    return file
  }

  /// - Throws: ``KeyError`` if other accounts can read or write the file.
  private func check(_ file: FileHandle) throws {
    let mode = try status(of: file).st_mode & 0o7777
    guard mode & 0o077 == 0 else { throw KeyError.open(path, mode: UInt32(mode)) }
  }

  private func status(of file: FileHandle) throws -> stat {
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
  private func put(_ key: ClusterKey, replacing: Bool) throws -> Bool {
    try put(Data((key.text + "\n").utf8), replacing: replacing)
  }

  /// Writes the file as a whole, for its owner alone.
  ///
  /// - Returns: `false` if the file exists already and is not to be replaced.
  @discardableResult
  private func put(_ content: Data, replacing: Bool) throws -> Bool {
    let url = URL(fileURLWithPath: path)
    try makeDirectory(url.deletingLastPathComponent().path)
    // The content is written to another file first, so that every reader reads a whole key.
    let draft = path + "." + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw KeyError.inaccessible(path, "made", Self.words(errno)) }
    defer {
      close(descriptor)
      unlink(draft)
    }
    let written = content.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == content.count, fsync(descriptor) == 0 else {
      throw KeyError.inaccessible(path, "written", Self.words(errno))
    }
    if replacing {
      guard rename(draft, path) == 0 else {
        throw KeyError.inaccessible(path, "replaced", Self.words(errno))
      }
      return true
    }
    // Unlike a rename, a link does not replace a file that another process has made meanwhile.
    if link(draft, path) == 0 { return true }
    guard errno == EEXIST else { throw KeyError.inaccessible(path, "made", Self.words(errno)) }
    return false
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

  private static func words(_ code: CInt) -> String { String(cString: strerror(code)).lowercased() }
}
